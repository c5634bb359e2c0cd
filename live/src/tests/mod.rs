//! Tests of several parts together.

mod feed;
