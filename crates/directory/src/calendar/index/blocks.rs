//! A list of fixed length whose copies share blocks until one of them changes.

use std::sync::Arc;

/// Values per block. A larger block makes a change copy more, a smaller one makes a copy of the list count more.
const SIZE: usize = 128;

#[derive(Debug)]
pub(crate) struct Blocks<T> {
    blocks: Vec<Arc<[T]>>,
    len: usize,
}

impl<T> Clone for Blocks<T> {
    fn clone(&self) -> Self {
        Self { blocks: self.blocks.clone(), len: self.len }
    }
}

impl<T> Blocks<T> {
    pub(crate) fn new(values: Vec<T>) -> Self {
        let len = values.len();
        let mut values = values.into_iter();
        let block = |_| values.by_ref().take(SIZE).collect();
        Self { blocks: (0..len.div_ceil(SIZE)).map(block).collect(), len }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn get(&self, at: u32) -> &T {
        let at = at as usize;
        &self.blocks[at / SIZE][at % SIZE]
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.blocks.iter().flat_map(|block| block.iter())
    }
}

impl<T: Clone> Blocks<T> {
    /// A value to change, in a copy of its block if the block is shared.
    pub(crate) fn change(&mut self, at: u32) -> &mut T {
        let at = at as usize;
        &mut Arc::make_mut(&mut self.blocks[at / SIZE])[at % SIZE]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_does_not_show_in_another_copy() {
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
