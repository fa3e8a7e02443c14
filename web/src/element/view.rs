//! An element as a view of Leptos.

use super::El;
use leptos::tachys::{
    html::attribute::{
        Attribute,
        any_attribute::{AnyAttribute, IntoAnyAttribute},
    },
    hydration::Cursor,
    view::{Mountable, Position, PositionState, Render, RenderHtml, add_attr::AddAnyAttr},
};
use web_sys::Node;

impl Render for El {
    type State = Self;

    fn build(self) -> Self {
        self
    }

    fn rebuild(self, state: &mut Self) {
        drop(state.0.node.replace_with_with_node_1(&self.0.node));
        *state = self;
    }
}

impl Mountable for El {
    fn unmount(&mut self) {
        self.0.node.remove();
    }

    fn mount(&mut self, parent: &web_sys::Element, marker: Option<&Node>) {
        drop(parent.insert_before(&self.0.node, marker));
    }

    fn insert_before_this(&self, child: &mut dyn Mountable) -> bool {
        let parent = self.0.node.parent_element();
        if let Some(parent) = &parent {
            child.mount(parent, Some(&self.0.node));
        }
        parent.is_some()
    }

    fn elements(&self) -> Vec<web_sys::Element> {
        vec![self.0.node.clone().into()]
    }
}

/// In `view!`, an element stands wherever one of Leptos may. There is no server side: it is made in a page.
impl RenderHtml for El {
    type AsyncOutput = Self;
    type Owned = Self;

    const MIN_LENGTH: usize = 0;

    fn dry_resolve(&mut self) {}

    async fn resolve(self) -> Self {
        self
    }

    /// The markup of the element as it is now. Its listeners are not in it.
    fn to_html_with_buf(self, html: &mut String, position: &mut Position, _: bool, _: bool, more: Vec<AnyAttribute>) {
        let element = more.into_iter().fold(self, Self::add_any_attr);
        html.push_str(&element.0.node.outer_html());
        *position = Position::NextChild;
    }

    /// Takes the place of the node that is there.
    fn hydrate<const FROM_SERVER: bool>(self, cursor: &Cursor, position: &PositionState) -> Self {
        match position.get() {
            Position::FirstChild => cursor.child(),
            Position::Current => {}
            _ => cursor.sibling(),
        }
        position.set(Position::NextChild);
        let there = cursor.current();
        if let Some(parent) = there.parent_node() {
            // It is a child of its parent.
            drop(parent.replace_child(&self.0.node, &there));
        }
        cursor.set(self.node().into());
        self
    }

    fn into_owned(self) -> Self {
        self
    }
}

impl AddAnyAttr for El {
    type Output<A: Attribute> = Self;

    fn add_any_attr<A: Attribute>(self, attribute: A) -> Self {
        let set = attribute.into_cloneable_owned().into_any_attr().build(&self.0.node);
        self.holding(set)
    }
}
