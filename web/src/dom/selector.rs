//! The selectors of the view (Selectors Level 4, in part): a list of compounds of a tag, an id, a class, attributes with or without a value and `:checked`,
//! with the combinators " " and "~". What has anything else in it fits nothing.

use super::tree::{Node, Object as _};

/// Whether any selector of a list fits an element.
pub fn matches(node: &Node, selectors: &str) -> bool {
    !node.tag().is_empty() && selectors.split(',').any(|selector| fits(node, selector.trim()))
}

fn fits(node: &Node, selector: &str) -> bool {
    let Some((before, last)) = selector.rsplit_once(' ') else { return compound(node, selector) };
    if !compound(node, last) {
        return false;
    }
    match before.trim_end().strip_suffix('~') {
        Some(before) => {
            let siblings = node.parent_node().map(|parent| parent.children()).unwrap_or_default();
            let mut earlier = siblings.iter().take_while(|sibling| !sibling.is_same_node(Some(node)));
            earlier.any(|sibling| fits(sibling, before.trim_end()))
        }
        None => std::iter::successors(node.parent_node(), Node::parent_node).any(|node| fits(&node, before.trim_end())),
    }
}

/// Whether a selector without a combinator fits.
fn compound(node: &Node, selector: &str) -> bool {
    let end = |text: &str| text.find(['#', '.', '[', ':']).unwrap_or(text.len());
    let (tag, mut rest) = selector.split_at(end(selector));
    if node.tag().is_empty() || !(tag.is_empty() || tag == node.tag()) {
        return false;
    }
    while let Some(kind) = rest.chars().next() {
        let after = rest.get(kind.len_utf8()..).unwrap_or_default();
        let (name, left) = match kind {
            '[' => after.split_once(']').unwrap_or((after, "")),
            _ => after.split_at(end(after)),
        };
        let is_met = match kind {
            '#' => node.get_attribute("id").as_deref() == Some(name),
            '.' => node.get_attribute("class").is_some_and(|class| class.split(' ').any(|one| one == name)),
            '[' => match name.split_once('=') {
                Some((name, value)) => node.get_attribute(name).as_deref() == Some(value.trim_matches(['\'', '"'])),
                None => node.has_attribute(name),
            },
            _ => name == "checked" && node.property("checked").is_truthy(),
        };
        if !is_met {
            return false;
        }
        rest = left;
    }
    true
}
