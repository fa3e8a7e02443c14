// What a person has done in the fields that the text does not say: what is unfolded, added, visited, chosen. Each by its place, and moved along with it.
import { isWithin } from "./pointer.js";

export class State {
  /**
   * Whether a place is unfolded.
   * @type {Map<string, boolean>}
   */
  open = new Map();
  /**
   * Properties that were added and have no value yet.
   * @type {Map<string, boolean>}
   */
  added = new Map();
  /**
   * Places that the person has been at.
   * @type {Map<string, boolean>}
   */
  touched = new Map();
  /**
   * Keys that were added to an object and have no value yet: a list for each object.
   * @type {Map<string, string[]>}
   */
  keys = new Map();
  /**
   * Items that are there and have not been filled in.
   * @type {Map<string, boolean>}
   */
  unfilled = new Map();
  /**
   * The options that were chosen: by group.
   * @type {Map<string, { [group: string]: number }>}
   */
  choices = new Map();
  /**
   * What another option had: JSON texts by group and option.
   * @type {Map<string, { [option: string]: string }>}
   */
  kept = new Map();
  /**
   * How many parts of a place are shown.
   * @type {Map<string, number>}
   */
  counts = new Map();

  /** @type {Map<string, any>[]} */
  #all = [this.open, this.added, this.touched, this.keys, this.unfilled, this.choices, this.kept, this.counts];

  /**
   * Forgets a place and what is in it.
   * @param {string} pointer
   */
  forget(pointer) {
    for (const map of this.#all) for (const place of [...map.keys()]) if (isWithin(place, pointer)) map.delete(place);
  }

  /**
   * Moves places along with items of a list: `to(index)` gives where one is now, nothing where it is gone.
   * @param {string} list
   * @param {(index: number) => number | undefined} to
   */
  move(list, to) {
    const start = `${list}/`;
    /** @type {(place: string) => string | undefined} */
    const moved = (place) => {
      if (!place.startsWith(start)) return place;
      const [, index, rest] = /^(\d+)(.*)$/s.exec(place.slice(start.length)) ?? [];
      const now = index === undefined ? undefined : to(Number(index));
      return now === undefined ? undefined : `${start}${now}${rest}`;
    };
    this.#rename(moved);
  }

  /**
   * Moves a place and what is in it to another key.
   * @param {string} from
   * @param {string} to
   */
  rename(from, to) {
    this.#rename((place) => (isWithin(place, from) ? to + place.slice(from.length) : place));
  }

  /** @param {(place: string) => string | undefined} moved */
  #rename(moved) {
    for (const map of this.#all) {
      const entries = [...map].map(([place, value]) => [moved(place), value]);
      map.clear();
      for (const [place, value] of entries) if (place !== undefined) map.set(place, value);
    }
  }
}
