//! What must hold of the core, natively: the vectors, properties of any input, input that means harm, and the tool
//! definitions.

mod answers;
mod condition;
mod consent;
mod conversation;
mod danger;
mod definition;
mod detection;
mod documents;
mod drafts;
mod fields;
mod hostile;
mod journey;
mod matrix;
mod mending;
mod models;
mod plain;
mod properties;
mod public;
mod refusals;
mod sample;
mod saved;
mod schema_work;
mod stream;
mod vectors;
mod whole;
