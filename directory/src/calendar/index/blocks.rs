//! A list that is copied in no time and changed in place: its blocks are shared until one of them changes.

use std::sync::Arc;

/// How many values share a block. Small, so that a change copies little; large, so that a copy counts little.
const SIZE: usize = 128;

/// A list of fixed length.
#[derive(Debug)]
pub(in crate::calendar) struct Blocks<T> {
    blocks: Vec<Arc<[T]>>,
    len: usize,
}

impl<T> Clone for Blocks<T> {
    fn clone(&self) -> Self {
        Self { blocks: self.blocks.clone(), len: self.len }
    }
}

impl<T> Blocks<T> {
    pub(in crate::calendar) fn new(values: Vec<T>) -> Self {
        let len = values.len();
        let mut values = values.into_iter();
        let block = |_| values.by_ref().take(SIZE).collect();
        Self { blocks: (0..len.div_ceil(SIZE)).map(block).collect(), len }
    }

    pub(in crate::calendar) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(in crate::calendar) fn get(&self, at: u32) -> &T {
        let at = at as usize;
        &self.blocks[at / SIZE][at % SIZE]
    }

    pub(in crate::calendar) fn iter(&self) -> impl Iterator<Item = &T> {
        self.blocks.iter().flat_map(|block| block.iter())
    }
}

impl<T: Clone> Blocks<T> {
    /// The value in the place, to be changed: in a copy of its block when others see it too.
    #[inline]
    pub(in crate::calendar) fn change(&mut self, at: u32) -> &mut T {
        let at = at as usize;
        &mut Arc::make_mut(&mut self.blocks[at / SIZE])[at % SIZE]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_not_seen_through_the_copy() {
        let list = Blocks::new((0..1000).collect::<Vec<i32>>());
        let mut copy = list.clone();
        *copy.change(700) = -1;
        *copy.change(701) = -2;
        assert_eq!((list.len(), *list.get(700), *list.get(701)), (1000, 700, 701));
        assert_eq!(copy.iter().filter(|value| **value < 0).count(), 2);
        assert_eq!(list.iter().copied().sum::<i32>(), 499_500);
        assert!(Arc::ptr_eq(&list.blocks[0], &copy.blocks[0]));
    }
}
