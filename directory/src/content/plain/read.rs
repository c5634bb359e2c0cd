//! From the plain form to whatever type is wanted, by serde.

use std::fmt;

use serde::de::value::U64Deserializer;
use serde::de::{self, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;

use super::{Entry, Item, Plain, Table, Value};

/// The name under which a value with its place is asked for: it is given as a sequence of where it begins,
/// where it ends, and the value.
pub(in super::super) const LOCATED: &str = "$nameplate::Located";

/// It is not of the plain form, or not what was wanted: the general reader will tell.
#[derive(Debug)]
pub(super) struct Refused;

impl fmt::Display for Refused {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("not of the plain form")
    }
}

impl std::error::Error for Refused {}

impl de::Error for Refused {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

impl<'t> Plain<'t> {
    /// The file as a whole.
    pub(super) fn file(&self) -> Node<'_, 't> {
        Node { plain: self, kind: Kind::File }
    }
}

/// A part of a file.
#[derive(Clone, Copy)]
pub(super) struct Node<'p, 't> {
    plain: &'p Plain<'t>,
    kind: Kind<'p, 't>,
}

#[derive(Clone, Copy)]
enum Kind<'p, 't> {
    File,
    Table(&'p Table<'t>),
    /// The tables of a list, by the first of them.
    Tables(&'p Table<'t>),
    Item(Item<'t>),
    Key(&'t str, usize),
}

impl<'p, 't> Node<'p, 't> {
    fn other(&self, kind: Kind<'p, 't>) -> Self {
        Self { plain: self.plain, kind }
    }

    fn place(&self) -> (usize, usize) {
        match self.kind {
            Kind::File => (0, 0),
            Kind::Table(table) | Kind::Tables(table) => (table.start, table.end),
            Kind::Item(item) => (item.start, item.end),
            Kind::Key(key, at) => (at, at + key.len()),
        }
    }

    fn entries(self, entries: &'p [Entry<'t>], tables: &'p [Table<'t>]) -> Entries<'p, 't> {
        Entries { of: self, values: entries.iter(), tables: tables.iter(), value: None }
    }
}

impl<'t> Deserializer<'t> for Node<'_, 't> {
    type Error = Refused;

    fn deserialize_any<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, Refused> {
        let plain = self.plain;
        match self.kind {
            Kind::File => {
                visitor.visit_map(self.entries(&plain.entries[..plain.above], plain.tables.as_slice()))
            }
            Kind::Table(table) => {
                visitor.visit_map(self.entries(&plain.entries[table.entries.0..table.entries.1], &[]))
            }
            Kind::Tables(first) => {
                let same = plain.tables.iter().filter(|table| table.name == first.name);
                visitor.visit_seq(Elements(same.map(|table| self.other(Kind::Table(table)))))
            }
            Kind::Item(item) => match item.value {
                Value::Text(text) => visitor.visit_borrowed_str(text),
                Value::Integer(number) => visitor.visit_i64(number),
                Value::Flag(flag) => visitor.visit_bool(flag),
                Value::List(first, end) => {
                    let elements = plain.elements[first..end].iter();
                    visitor.visit_seq(Elements(elements.map(|&item| self.other(Kind::Item(item)))))
                }
            },
            Kind::Key(key, _) => visitor.visit_borrowed_str(key),
        }
    }

    fn deserialize_option<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, Refused> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'t>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Refused> {
        if name == LOCATED {
            return visitor.visit_seq(Located { node: self, given: 0 });
        }
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        <V: Visitor<'t>>
        bool u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 f32 f64 char str string seq bytes byte_buf map struct enum
        unit ignored_any unit_struct tuple_struct tuple identifier
    }
}

impl<'t> IntoDeserializer<'t, Refused> for Node<'_, 't> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// Where a value begins, where it ends, and the value.
struct Located<'p, 't> {
    node: Node<'p, 't>,
    given: u8,
}

impl<'t> SeqAccess<'t> for Located<'_, 't> {
    type Error = Refused;

    fn next_element_seed<S: DeserializeSeed<'t>>(&mut self, seed: S) -> Result<Option<S::Value>, Refused> {
        let (start, end) = self.node.place();
        self.given += 1;
        match self.given {
            1 => seed.deserialize(U64Deserializer::new(start as u64)).map(Some),
            2 => seed.deserialize(U64Deserializer::new(end as u64)).map(Some),
            3 => seed.deserialize(self.node).map(Some),
            _ => Ok(None),
        }
    }
}

/// A list.
struct Elements<I>(I);

impl<'p, 't: 'p, I: Iterator<Item = Node<'p, 't>>> SeqAccess<'t> for Elements<I> {
    type Error = Refused;

    fn next_element_seed<S: DeserializeSeed<'t>>(&mut self, seed: S) -> Result<Option<S::Value>, Refused> {
        self.0.next().map(|node| seed.deserialize(node)).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        // What is known for certain, so that lists take the room that they need and no more.
        match self.0.size_hint() {
            (least, Some(most)) if least == most => Some(least),
            _ => None,
        }
    }
}

/// A table: its entries, and in a file the tables below them, those of one name as one list.
struct Entries<'p, 't> {
    of: Node<'p, 't>,
    values: std::slice::Iter<'p, Entry<'t>>,
    tables: std::slice::Iter<'p, Table<'t>>,
    value: Option<Node<'p, 't>>,
}

impl<'t> MapAccess<'t> for Entries<'_, 't> {
    type Error = Refused;

    fn next_key_seed<K: DeserializeSeed<'t>>(&mut self, seed: K) -> Result<Option<K::Value>, Refused> {
        let (key, at) = if let Some(entry) = self.values.next() {
            self.value = Some(self.of.other(Kind::Item(entry.item)));
            (entry.key, entry.key_at)
        } else if let Some(table) = self.tables.find(|table| table.is_first) {
            let kind = if table.is_listed { Kind::Tables(table) } else { Kind::Table(table) };
            self.value = Some(self.of.other(kind));
            (table.name, table.name_at)
        } else {
            return Ok(None);
        };
        seed.deserialize(self.of.other(Kind::Key(key, at))).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'t>>(&mut self, seed: V) -> Result<V::Value, Refused> {
        self.value.take().ok_or(Refused).and_then(|node| seed.deserialize(node))
    }
}
