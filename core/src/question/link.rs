//! A URL that the person is asked to open. Only URLs that every parser reads alike are accepted: the host that is shown is the host
//! that is opened.

use crate::problem::UnsafeUrl;
use serde::Deserialize;

/// An absolute `https` URL, or an `http` one on this machine. Nothing here fetches or opens it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Address")]
pub struct Link {
    url: String,
    /// Where the host begins in the URL, and how long it is.
    host: (usize, usize),
    secure: bool,
}

/// The JSON form of [`Link`]; the host is read from the URL.
#[derive(Deserialize)]
struct Address {
    url: String,
}

impl TryFrom<Address> for Link {
    type Error = UnsafeUrl;

    fn try_from(address: Address) -> Result<Self, UnsafeUrl> {
        Self::read(&address.url)
    }
}

impl Link {
    /// Reads a URL (RFC 3986, ASCII only).
    ///
    /// # Errors
    /// [`UnsafeUrl`] for a scheme other than `https`; `http` to another machine; a user name or password; characters outside ASCII,
    /// backslashes, blanks and control characters, which parsers disagree about; a host that is not a name or an address.
    pub fn read(url: &str) -> Result<Self, UnsafeUrl> {
        if let Some(character) = url.chars().find(|character| !is_plain(*character)) {
            return Err(UnsafeUrl::Character { character });
        }
        let (scheme, rest) = url.split_once(':').ok_or(UnsafeUrl::Scheme)?;
        let rest = rest.strip_prefix("//").ok_or(UnsafeUrl::Scheme)?;
        let secure = scheme.eq_ignore_ascii_case("https");
        if !secure && !scheme.eq_ignore_ascii_case("http") {
            return Err(UnsafeUrl::Scheme);
        }
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        if authority.bytes().any(|byte| byte == b'@') {
            return Err(UnsafeUrl::UserName);
        }
        let host = host_of(authority).ok_or(UnsafeUrl::Host)?;
        if !secure && !is_loopback(host) {
            return Err(UnsafeUrl::NotSecure);
        }
        let before = scheme.len().saturating_add("://".len());
        Ok(Self { url: url.to_owned(), host: (before, host.len()), secure })
    }

    /// The whole URL, as in the request.
    pub fn as_str(&self) -> &str {
        &self.url
    }

    /// The URL in three parts: before the host, the host, and after it (beginning with the port).
    pub fn parts(&self) -> (&str, &str, &str) {
        let (start, length) = self.host;
        // Invariant: the host was found there.
        let (before, rest) = self.url.split_at_checked(start).unwrap_or_default();
        let (host, after) = rest.split_at_checked(length).unwrap_or_default();
        (before, host, after)
    }

    /// The host.
    pub fn host(&self) -> &str {
        self.parts().1
    }

    /// Whether the connection is encrypted (`https`).
    pub fn is_secure(&self) -> bool {
        self.secure
    }

    /// Whether the host has letters beyond ASCII, written in Punycode (RFC 3492): they may look like others.
    pub fn has_punycode(&self) -> bool {
        self.host().split('.').any(|label| label.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("xn--")))
    }
}

/// Whether a character is printable ASCII and may be in a URI. A backslash may not, since browsers read it as a slash.
fn is_plain(character: char) -> bool {
    character.is_ascii_graphic() && !matches!(character, '\\' | '"' | '<' | '>' | '`')
}

/// The host of an authority, if the authority is a host with or without a port.
fn host_of(authority: &str) -> Option<&str> {
    let end = match authority.strip_prefix('[') {
        Some(rest) => rest.find(']')?.checked_add("[]".len())?,
        None => authority.find(':').unwrap_or(authority.len()),
    };
    let (host, port) = authority.split_at_checked(end)?;
    let named = if host.starts_with('[') { is_ipv6(host) } else { is_name(host) || ipv4(host).is_some() };
    let digits = port.strip_prefix(':').unwrap_or("0");
    let numbered = digits.len() <= 5 && digits.bytes().all(|byte| byte.is_ascii_digit());
    let placed = port.is_empty() || port.starts_with(':');
    (named && placed && numbered && digits.parse::<u32>().ok()? <= 65_535).then_some(host)
}

/// Whether a host is a domain name. A name that ends in a number is not, since browsers read it as an IPv4 address (`1.2.3`, `0x7f.1`).
fn is_name(host: &str) -> bool {
    let plain = host.strip_suffix('.').unwrap_or(host);
    let label = |label: &str| {
        !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    };
    let last = plain.rsplit('.').next().unwrap_or_default();
    let number = last.bytes().all(|byte| byte.is_ascii_digit())
        || last.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("0x"));
    host.len() <= 253 && plain.split('.').all(label) && !number
}

/// The first number of a plain IPv4 address (RFC 3986, section 3.2.2: four decimal numbers without leading zeros).
fn ipv4(host: &str) -> Option<u32> {
    let mut numbers = host.split('.').map(|part| {
        let plain = part == "0" || (part.len() <= 3 && !part.starts_with('0'));
        part.parse::<u32>().ok().filter(|number| plain && *number <= 255 && !part.starts_with('+'))
    });
    let first = numbers.next()??;
    let (second, third, fourth) = (numbers.next()?, numbers.next()?, numbers.next()?);
    (second.and(third).and(fourth).is_some() && numbers.next().is_none()).then_some(first)
}

/// Whether the text in brackets has only the characters of an IPv6 address. Browsers refuse one that is not an address.
fn is_ipv6(host: &str) -> bool {
    host.bytes().all(|byte| byte.is_ascii_hexdigit() || matches!(byte, b':' | b'.' | b'[' | b']'))
        && host.bytes().filter(|byte| *byte == b':').count() >= 2
}

/// Whether a host is this machine (RFC 6761, section 6.3; RFC 8252, section 7.3).
fn is_loopback(host: &str) -> bool {
    let name = host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
    name == "localhost" || name.ends_with(".localhost") || ipv4(host) == Some(127) || host == "[::1]"
}

#[cfg(test)]
mod tests {
    use super::Link;
    use crate::problem::UnsafeUrl::{self, Character, Host, NotSecure, Scheme, UserName};

    #[test]
    fn a_url_that_every_reader_reads_alike_is_taken_with_its_host_set_apart() {
        for (url, parts) in [
            ("https://mcp.example.com/ui?x=1#y", ("https://", "mcp.example.com", "/ui?x=1#y")),
            ("HTTPS://Example.com", ("HTTPS://", "Example.com", "")),
            ("https://example.com:8443/", ("https://", "example.com", ":8443/")),
            (
                "https://example.com?next=https://other.example",
                ("https://", "example.com", "?next=https://other.example"),
            ),
            ("https://example.com./x", ("https://", "example.com.", "/x")),
            ("https://example.com/a@b", ("https://", "example.com", "/a@b")),
            ("https://192.0.2.1/x", ("https://", "192.0.2.1", "/x")),
            ("https://[2001:db8::1]:443/x", ("https://", "[2001:db8::1]", ":443/x")),
            ("http://127.0.0.1:8123/x", ("http://", "127.0.0.1", ":8123/x")),
            ("http://localhost/x", ("http://", "localhost", "/x")),
            ("http://app.localhost:1/", ("http://", "app.localhost", ":1/")),
            ("http://[::1]/", ("http://", "[::1]", "/")),
        ] {
            let link = Link::read(url).unwrap();
            assert_eq!((link.parts(), link.as_str()), (parts, url));
        }
    }

    #[test]
    fn a_url_that_could_mislead_is_refused() {
        let refused: [(&str, UnsafeUrl); 30] = [
            ("javascript:alert(1)", Scheme),
            ("data:text/html,x", Scheme),
            ("file:///etc/passwd", Scheme),
            ("ftp://example.com", Scheme),
            ("example.com", Scheme),
            ("", Scheme),
            ("https:example.com", Scheme),
            ("https:/example.com", Scheme),
            ("http://example.com/", NotSecure),
            ("http://127.0.0.1.example.com/", NotSecure),
            ("http://localhost.example.com/", NotSecure),
            ("https://user@example.com/", UserName),
            ("https://good.example:x@evil.example/", UserName),
            ("https://", Host),
            ("https:///example.com", Host),
            ("https://a..b/", Host),
            ("https://example.com:99999/", Host),
            ("https://example.com:+80/", Host),
            ("https://2130706433/", Host),
            ("https://127.0.0.1.:1/", Host),
            ("https://1.2.3/", Host),
            ("https://1.2.3.4.5/", Host),
            ("https://01.2.3.4/", Host),
            ("https://[::1/", Host),
            ("https://[evil.example]/", Host),
            ("https://0x7f.1/", Host),
            ("https://exa%6dple.com/", Host),
            ("https://good.example\\@evil.example/", Character { character: '\\' }),
            ("https://ex\u{0430}mple.com/", Character { character: '\u{0430}' }),
            ("https://example.com/a b", Character { character: ' ' }),
        ];
        for (url, why) in refused {
            assert_eq!(Link::read(url), Err(why), "{url}");
        }
    }

    #[test]
    fn a_punycode_host_and_an_unencrypted_url_are_warned_of() {
        assert!(Link::read("https://xn--mnchen-3ya.example/").unwrap().has_punycode());
        assert!(Link::read("https://a.XN--mnchen-3ya.example/").unwrap().has_punycode());
        assert!(!Link::read("https://example.com/xn--x").unwrap().has_punycode());
        assert!(Link::read("https://example.com/").unwrap().is_secure());
        assert!(!Link::read("http://localhost/").unwrap().is_secure());
    }
}
