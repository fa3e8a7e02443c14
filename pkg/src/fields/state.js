// What a person has done in the fields that the text does not say: what is unfolded, added, visited, chosen. Each by its place, and moved along with it.
import { isWithin } from "./pointer.js";

export class State {
  /** Whether a place is unfolded. */
  open = new Map();
  /** Properties that were added and have no value yet. */
  added = new Map();
  /** Places that the person has been at. */
  touched = new Map();
  /** Keys that were added to an object and have no value yet: a list for each object. */
  keys = new Map();
  /** Items that are there and have not been filled in. */
  unfilled = new Map();
  /** The options that were chosen: by group. */
  choices = new Map();
  /** What another option had: JSON texts by group and option. */
  kept = new Map();
  /** How many parts of a place are shown. */
  counts = new Map();

  #all = [this.open, this.added, this.touched, this.keys, this.unfilled, this.choices, this.kept, this.counts];

  /** Forgets a place and what is in it. */
  forget(pointer) {
    for (const map of this.#all) for (const place of [...map.keys()]) if (isWithin(place, pointer)) map.delete(place);
  }

  /** Moves places along with items of a list: `to(index)` gives where one is now, nothing where it is gone. */
  move(list, to) {
    const start = `${list}/`;
    const moved = (place) => {
      if (!place.startsWith(start)) return place;
      const [, index, rest] = /^(\d+)(.*)$/s.exec(place.slice(start.length)) ?? [];
      const now = index === undefined ? undefined : to(Number(index));
      return now === undefined ? undefined : `${start}${now}${rest}`;
    };
    this.#rename(moved);
  }

  /** Moves a place and what is in it to another key. */
  rename(from, to) {
    this.#rename((place) => (isWithin(place, from) ? to + place.slice(from.length) : place));
  }

  #rename(moved) {
    for (const map of this.#all) {
      const entries = [...map].map(([place, value]) => [moved(place), value]);
      map.clear();
      for (const [place, value] of entries) if (place !== undefined) map.set(place, value);
    }
  }
}
