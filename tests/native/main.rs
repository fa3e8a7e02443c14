//! What must hold of the core, natively: the vectors, properties of any input, input that means harm, and the tool
//! definitions.

mod conversation;
mod definition;
mod detection;
mod hostile;
mod matrix;
mod properties;
mod public;
mod sample;
mod vectors;
