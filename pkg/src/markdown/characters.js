// What markdown-it asks of characters. In the bundle this stands in for the packages that it imports for it (`pkg/build.mjs`): browsers have the classes,
// and the table of HTML has 2,125 names, which weigh more than all the rest.

/** The characters that are punctuation, and those that are symbols. */
export const [P, S] = [/\p{P}/u, /\p{S}/u];

/** The names that people write: all of HTML 4's Latin-1, from U+00A0 on, and some more. Other names stay as they are. */
const LATIN =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest " +
  "Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig " +
  "agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml";
const MORE = "amp& lt< gt> quot\" apos' ndash– mdash— lsquo‘ rsquo’ ldquo“ rdquo” bull• hellip… euro€ trade™ larr← uarr↑ rarr→ darr↓ harr↔ rArr⇒ hArr⇔ minus− infin∞ ne≠ le≤ ge≥ check✓ cross✗";

const NAMES = new Map(/** @type {[name: string, character: string][]} */ ([
  ...LATIN.split(" ").map((name, place) => [name, String.fromCharCode(160 + place)]),
  ...MORE.split(" ").map((pair) => [pair.slice(0, -1), pair.slice(-1)]),
]));

/**
 * The character of `&name;`; the same text where there is none.
 * @type {(text: string) => string}
 */
export const decodeHTML = (text) => NAMES.get(text.slice(1, -1)) ?? text;
export { decodeHTML as decodeHTMLStrict };
