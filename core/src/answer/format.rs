//! Checks the formats of texts. The schema validator is not used, so that a form that asks for an email address does not have to load it.

use crate::{moment, question::Format};

/// Whether a text is of a format. Each format is a function of its own: the first download has those that a first question needs.
pub fn is_of(format: Format, text: &str) -> bool {
    match format {
        Format::Email => is_email(text),
        Format::Uri => is_uri(text),
        Format::Date => moment::days(text).map(drop),
        Format::DateTime => moment::millis(text).map(drop),
    }
    .is_some()
}

/// WHATWG HTML, "valid e-mail address", with a dot in the domain and none at the ends of the local part or beside another one: what every validator of
/// JSON Schema takes, and the servers of MCP with it.
#[inline(never)]
fn is_email(text: &str) -> Option<()> {
    let (local, domain) = text.rsplit_once('@')?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(&byte);
    let label = |label: &str| {
        let inner = label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        inner && (1..=63).contains(&label.len()) && !label.starts_with('-') && !label.ends_with('-')
    };
    let atom = |atom: &str| !atom.is_empty() && atom.bytes().all(plain);
    (local.split('.').all(atom) && domain.contains('.') && domain.split('.').all(label)).then_some(())
}

/// RFC 3986, section 3: a scheme, and then what a URI may have at each place.
#[inline(never)]
fn is_uri(text: &str) -> Option<()> {
    let (scheme, rest) = text.split_once(':')?;
    let begins = scheme.bytes().next()?.is_ascii_alphabetic();
    let scheme = scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    // Two hexadecimal digits follow each percent sign.
    let encoded = rest.split('%').skip(1).all(|after| {
        let mut digits = after.bytes().take(2).filter(u8::is_ascii_hexdigit);
        digits.next().is_some() && digits.next().is_some()
    });
    let holds = |part: &str, more: &[u8]| {
        part.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=%:@".contains(&byte) || more.contains(&byte))
    };
    let (before, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let (before, query) = before.split_once('?').unwrap_or((before, ""));
    let (authority, path) = match before.strip_prefix("//") {
        Some(after) => after.split_at_checked(after.find('/').unwrap_or(after.len()))?,
        None => ("", before),
    };
    let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    let (host, port) = match host.strip_prefix('[') {
        Some(literal) => {
            let (address, port) = literal.split_once(']')?;
            is_address(address)?;
            ("", port.strip_prefix(':').or((port.is_empty()).then_some(""))?)
        }
        None => host.split_once(':').unwrap_or((host, "")),
    };
    let is_host = holds(host, b"") && !host.contains([':', '@']) && port.bytes().all(|byte| byte.is_ascii_digit());
    let is_there = !before.is_empty() && before != "//";
    let parts = !user.contains('@') && holds(user, b"") && holds(path, b"/") && holds(query, b"/?");
    (begins && scheme && encoded && is_there && is_host && parts && holds(fragment, b"/?")).then_some(())
}

/// RFC 4291, section 2.2: eight groups of up to four hexadecimal digits, or fewer around one `::`.
fn is_address(text: &str) -> Option<()> {
    let groups = |text: &str| {
        let is_group =
            |group: &str| (1..=4).contains(&group.len()) && group.bytes().all(|byte| byte.is_ascii_hexdigit());
        if text.is_empty() { Some(0) } else { text.split(':').all(is_group).then(|| text.split(':').count()) }
    };
    // By bytes: the search for text within text brings tables of Unicode into the form.
    match text.as_bytes().windows(2).position(|pair| pair == b"::") {
        Some(at) => {
            let (before, after) = (text.get(..at)?, text.get(at.checked_add(2)?..)?);
            groups(before)?.checked_add(groups(after)?).filter(|count| *count < 8).map(drop)
        }
        None => groups(text).filter(|count| *count == 8).map(drop),
    }
}

#[cfg(test)]
mod tests {
    use super::is_of;
    use crate::question::Format;

    fn check(format: Format, right: &[&str], wrong: &[&str]) {
        for text in right {
            assert!(is_of(format, text), "{text}");
        }
        for text in wrong.iter().chain(&["", " ", "ä", "\u{0}"]) {
            assert!(!is_of(format, text), "{text}");
        }
    }

    #[test]
    fn an_email_address_is_what_browsers_and_validators_take() {
        check(
            Format::Email,
            &["a@b.co", "octocat@github.com", "o'hara+x@sub.example.org"],
            &[
                "nope",
                "@b.co",
                "a@",
                "a@b@c",
                "a b@c.d",
                "a@-b.c",
                "a@b-.c",
                "a@b..c",
                "a@.b",
                "a@b.c.",
                "a@b_c.d",
                "a@b",
                "root@localhost",
                "a..b@c.de",
                ".a@c.de",
                "a.@c.de",
            ],
        );
    }

    #[test]
    fn a_uri_has_a_scheme() {
        check(
            Format::Uri,
            &[
                "https://example.com/a?b#c",
                "urn:isbn:0451450523",
                "mailto:a@b.co",
                "https://x/%20",
                "http://[::1]:80/",
                "http://u:p@h:80/x?a/b#c?d",
                "file:///a",
            ],
            &[
                "example.com",
                "/a/b",
                "https:",
                "1a:b",
                "https://x/ y",
                "https://x/%2",
                "https://x/%zz",
                "ht tp:x",
                "mail:a@b[c",
                "http://a:b/",
                "http://[1]/",
                "x:#a#b",
                "http://",
                "http://a@b@c/",
            ],
        );
    }

    #[test]
    fn a_date_is_a_day_of_the_calendar() {
        check(
            Format::Date,
            &["2026-11-21", "2024-02-29", "2000-02-29", "0001-01-01"],
            &[
                "2026-02-29",
                "1900-02-29",
                "2026-13-01",
                "2026-00-10",
                "2026-04-31",
                "2026-1-1",
                "26-01-01",
                "2026-11-21Z",
            ],
        );
    }

    #[test]
    fn a_moment_has_a_date_a_time_and_an_offset() {
        check(
            Format::DateTime,
            &[
                "2026-11-21T14:21:26Z",
                "2026-11-21t14:21:26.123z",
                "2026-11-21T14:21:26+05:30",
                "2026-11-21T14:21:26-23:59",
                "1998-12-31T23:59:60Z",
                "1998-12-31T15:59:60.5-08:00",
            ],
            &[
                "2026-11-21",
                "2026-11-21T14:21:26",
                "2026-11-21T24:00:00Z",
                "2026-11-21T14:60:00Z",
                "2026-11-21T14:21:60Z",
                "2026-11-21T14:21:26.Z",
                "2026-11-21T14:21:26+24:00",
                "2026-11-21T14:21:26+05:60",
                "2026-11-21T14:21:26+5:30",
                "2026-11-21 14:21:26Z",
                "1998-12-31T22:59:60Z",
            ],
        );
    }
}
