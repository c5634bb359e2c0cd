//! Things by a key and by a small number, which is used again once its thing is gone.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;

pub(super) struct Numbered<K, T> {
    numbers: HashMap<K, u32>,
    all: Vec<Option<T>>,
    free: Vec<u32>,
}

impl<K, T> Default for Numbered<K, T> {
    fn default() -> Self {
        Self { numbers: HashMap::new(), all: Vec::new(), free: Vec::new() }
    }
}

impl<K: Eq + Hash, T> Numbered<K, T> {
    pub(super) fn add(&mut self, key: K, thing: T) -> u32 {
        let number = self.free.pop().unwrap_or_else(|| {
            self.all.push(None);
            u32::try_from(self.all.len() - 1).unwrap_or(u32::MAX)
        });
        self.numbers.insert(key, number);
        self.all[number as usize] = Some(thing);
        number
    }

    pub(super) fn remove<Q: Eq + Hash + ?Sized>(&mut self, key: &Q)
    where
        K: Borrow<Q>,
    {
        if let Some(number) = self.numbers.remove(key) {
            self.all[number as usize] = None;
            self.free.push(number);
        }
    }

    pub(super) fn number<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> Option<u32>
    where
        K: Borrow<Q>,
    {
        self.numbers.get(key).copied()
    }

    pub(super) fn get(&self, number: u32) -> Option<&T> {
        self.all.get(number as usize)?.as_ref()
    }

    pub(super) fn get_mut(&mut self, number: u32) -> Option<&mut T> {
        self.all.get_mut(number as usize)?.as_mut()
    }

    /// All, by their numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        (0..).zip(&self.all).filter_map(|(number, thing)| Some((number, thing.as_ref()?)))
    }
}
