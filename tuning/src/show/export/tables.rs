//! Games and decisions by columns, for data frames: the tables of [`csv`](super::csv()).

use super::csv::for_each_row;
use anyhow::Result;
use indexmap::IndexMap;
use serde::Serialize;
use serde_json::Value;
use std::path::Path;

/// Columns that hold numbers even if all values are missing, as for agents that do not search.
const NUMBERS: [&str; 3] = ["value", "nodes", "boards"];

/// A table: its columns by name, in order. Without rows it has no columns.
pub type Table = IndexMap<String, Column>;

/// The values of a column, one for each row.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// Whole numbers.
    Whole(Vec<i64>),
    /// Numbers; missing ones are NaN.
    Number(Vec<f64>),
    /// Texts; missing ones are `None`.
    Text(Vec<Option<String>>),
}

/// The run in `folder` as two tables, one of its games and one of its decisions.
///
/// # Errors
/// The folder holds no run, or a file can't be read or is invalid.
pub fn tables(folder: &Path) -> Result<[Table; 2]> {
    let (mut games, mut decisions) = (Values::new(), Values::new());
    for_each_row(folder, |row| add(&mut games, row), |row| add(&mut decisions, row))?;
    let typed = |(name, values): (String, Vec<Value>)| {
        let column = column(&values, NUMBERS.contains(&name.as_str()));
        (name, column)
    };
    let typed = |values: Values| values.into_iter().map(typed).collect();
    Ok([games, decisions].map(typed))
}

/// The values of each column.
type Values = IndexMap<String, Vec<Value>>;

fn add(columns: &mut Values, row: &impl Serialize) -> Result<()> {
    // The row goes through text, because only text keeps the order of the fields.
    let row: IndexMap<String, Value> = serde_json::from_str(&serde_json::to_string(row)?)?;
    for (name, value) in row {
        columns.entry(name).or_default().push(value);
    }
    Ok(())
}

/// A column of these `values`. `is_number` decides the type if all values are missing.
fn column(values: &[Value], is_number: bool) -> Column {
    let whole: Option<Vec<i64>> = values.iter().map(Value::as_i64).collect();
    let can_be_number = |value: &Value| value.is_number() || value.is_null();
    match whole {
        Some(whole) => Column::Whole(whole),
        None if values.iter().all(can_be_number) && (is_number || !values.iter().all(Value::is_null)) => {
            Column::Number(values.iter().map(|value| value.as_f64().unwrap_or(f64::NAN)).collect())
        }
        None => Column::Text(values.iter().map(|value| value.as_str().map(str::to_string)).collect()),
    }
}
