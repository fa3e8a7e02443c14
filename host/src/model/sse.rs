//! Reads server-sent events from bytes, however the network cut them. Follows the WHATWG's rules for `text/event-stream`, with one
//! exception: an event that the end of the stream cut off before its empty line is given, too. It knows nothing of models.

/// An event: its name, and its data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Event {
    /// The name; empty where the stream gives none.
    pub name: String,
    /// The lines of its data, with a line feed between them.
    pub data: String,
}

/// An event, or one of its lines, is larger than the reader takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// Reads a stream. Keeps no more than one event in memory.
pub struct Reader {
    /// Bytes that one event may have.
    largest: usize,
    /// The line so far.
    line: Vec<u8>,
    /// Whether the last line ended with a carriage return, so that a line feed belongs to it.
    after_return: bool,
    /// Whether nothing was read yet, so that a byte order mark is skipped.
    is_first: bool,
    name: String,
    /// The data so far; `None` before the first `data` field of the event.
    data: Option<String>,
}

impl Reader {
    /// A reader of events of at most so many bytes.
    pub fn new(largest: usize) -> Self {
        Self { largest, line: Vec::new(), after_return: false, is_first: true, name: String::new(), data: None }
    }

    /// Takes the next bytes, and gives the events that they complete.
    ///
    /// # Errors
    /// [`TooLarge`] if an event is larger than the reader takes.
    pub fn read(&mut self, bytes: &[u8]) -> Result<Vec<Event>, TooLarge> {
        let mut events = Vec::new();
        let mut rest = bytes;
        while !rest.is_empty() {
            if std::mem::take(&mut self.after_return) && rest.starts_with(b"\n") {
                rest = &rest[1..];
                continue;
            }
            let end = rest.iter().position(|byte| matches!(byte, b'\r' | b'\n'));
            self.line.extend_from_slice(&rest[..end.unwrap_or(rest.len())]);
            if self.line.len() + self.data.as_ref().map_or(0, String::len) > self.largest {
                return Err(TooLarge);
            }
            let Some(end) = end else { break };
            self.after_return = rest[end] == b'\r';
            rest = &rest[end + 1..];
            events.extend(self.end_of_line());
        }
        Ok(events)
    }

    /// Gives the event that the end of the stream has cut off, if it has data.
    pub fn end(mut self) -> Option<Event> {
        self.end_of_line().or_else(|| self.end_of_line())
    }

    fn end_of_line(&mut self) -> Option<Event> {
        let line = std::mem::take(&mut self.line);
        let mut line = &*line;
        if std::mem::take(&mut self.is_first) {
            line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
        }
        if line.is_empty() {
            let name = std::mem::take(&mut self.name);
            return self.data.take().map(|data| Event { name, data });
        }
        let line = String::from_utf8_lossy(line);
        let (field, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.name),
            "data" => match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.data = Some(value.to_owned()),
            },
            // A comment, or a field that says nothing here.
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{Event, Reader, TooLarge};

    /// The events of a stream that arrives in pieces.
    fn read<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<(String, String)> {
        let mut reader = Reader::new(1000);
        let mut events: Vec<Event> = Vec::new();
        for piece in pieces {
            events.extend(reader.read(piece).expect("small enough"));
        }
        events.extend(reader.end());
        events.into_iter().map(|Event { name, data }| (name, data)).collect()
    }

    fn expected(events: &[(&str, &str)]) -> Vec<(String, String)> {
        events.iter().map(|(name, data)| ((*name).to_owned(), (*data).to_owned())).collect()
    }

    /// Streams, and their events: the rules of the specification, one by one.
    const STREAMS: &[(&str, &[(&str, &str)])] = &[
        ("data: a\n\n", &[("", "a")]),
        ("data: a\r\n\r\ndata: b\r\n\r\n", &[("", "a"), ("", "b")]),
        ("data: a\r\rdata: b\r\r", &[("", "a"), ("", "b")]),
        ("data: a\r\n\ndata: b\n\r\n", &[("", "a"), ("", "b")]),
        ("data: a\ndata:b\ndata:  c\n\n", &[("", "a\nb\n c")]),
        ("data\ndata\n\n", &[("", "\n")]),
        ("data\n\n", &[("", "")]),
        ("data:\n\n", &[("", "")]),
        (": comment\n\n:\n\ndata: a\n: in between\n\n", &[("", "a")]),
        ("event: error\ndata: a\n\ndata: b\n\n", &[("error", "a"), ("", "b")]),
        ("event: gone\n\ndata: a\n\n", &[("", "a")]),
        ("\u{feff}data: a\n\n", &[("", "a")]),
        ("data: a\n\n\u{feff}data: b\n\n", &[("", "a")]),
        ("id: 7\nretry: 100\nnovel: x\ndata: a: b\nDATA: c\n data: d\n\n", &[("", "a: b")]),
        ("data: ä€🦀\n\n", &[("", "ä€🦀")]),
        ("\n\n\r\n\r", &[]),
        // The end of the stream cuts an event off.
        ("data: a\n\ndata: [DONE]\n", &[("", "a"), ("", "[DONE]")]),
        ("data: a\n\ndata: [DONE]", &[("", "a"), ("", "[DONE]")]),
        ("data: a\n\nda", &[("", "a")]),
        ("", &[]),
    ];

    #[test]
    fn events_are_read_as_the_specification_says() {
        for (stream, events) in STREAMS {
            assert_eq!(read([stream.as_bytes()]), expected(events), "{stream:?}");
        }
    }

    #[test]
    fn events_are_the_same_wherever_the_bytes_are_cut() {
        for (stream, events) in STREAMS {
            let bytes = stream.as_bytes();
            assert_eq!(read(bytes.chunks(1)), expected(events), "{stream:?}, byte by byte");
            for place in 0..=bytes.len() {
                let (before, after) = bytes.split_at(place);
                assert_eq!(read([before, b"", after]), expected(events), "{stream:?}, cut at {place}");
            }
        }
    }

    #[test]
    fn bytes_that_are_no_utf_8_are_replaced() {
        assert_eq!(read([&b"data: a\xffb\n\n"[..]]), expected(&[("", "a\u{fffd}b")]));
    }

    #[test]
    fn an_event_without_end_is_refused() {
        let mut line = Reader::new(1000);
        assert_eq!((0..).find_map(|_| line.read(b"data: and so on").err()), Some(TooLarge));
        let mut lines = Reader::new(1000);
        assert_eq!((0..).find_map(|_| lines.read(b"data: and so on\n").err()), Some(TooLarge));
        // Events that come one after the other are no large event.
        let mut events = Reader::new(1000);
        assert!((0..1000).all(|_| events.read(b"data: and so on\n\n").is_ok_and(|events| events.len() == 1)));
    }
}
