//! A request that is read while it is being written.

use ask_user_core::{Dialect, Form, Host, Reader, Walk, schema::Validator};

/// A request in pieces: the first character chooses its dialect, the second how long the pieces are. It comes to what it is at once, and no question
/// that was there before the end changes.
pub fn stream(text: &str) {
    let head = |place: usize| usize::from(text.as_bytes().get(place).copied().unwrap_or_default());
    let dialect = head(0) % (Dialect::ALL.len() + 1);
    let dialect = Dialect::ALL.get(dialect).copied().unwrap_or(Dialect::Detect);
    let text = text.get(2..).unwrap_or_default();
    let host = Host::default();
    let mut reader = Reader::new(dialect, &host);
    let mut walk = Walk::stream(reader.form());
    for piece in text.as_bytes().chunks(head(1) % 64 + 1) {
        let before = walk.form().questions().to_vec();
        reader.feed(&mut walk, piece, &Validator::default());
        assert!(walk.form().questions().starts_with(&before), "a question has changed");
        assert_eq!((walk.outcome(), walk.accepted()), (None, None), "a form counts before its end");
    }
    let shown = walk.form().questions().to_vec();
    let read = reader.end().and_then(|reading| reading.finish(&Validator::default()));
    assert_eq!(read, Form::read(text, dialect, &host));
    let Ok(form) = read else { return };
    let is_anew = walk.accept_or_anew(form.clone());
    assert!(walk.is_whole() && (is_anew || form.questions().starts_with(&shown)));
}
