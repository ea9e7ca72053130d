/** Applies overlays to the values of a file, which stay as they are: what is changed are copies. */

import { drawFrom, type Fuel, FuelExhausted, makeFuel, spend, spendOn } from '../../base/fuel';
import { pointerOf, pointerTo, valueAt } from '../../base/json-pointer';
import { isPlainObject, ownText, type PlainObject, setOwn } from '../../base/plain-object';
import { attempt } from '../../base/recover';
import type { Steps } from '../../base/run-in-steps';
import type { Diagnostic } from '../diagnostics/diagnostic';
import type { SourceFile } from '../source/source-files';
import type { LoadLimits } from '../source/source-text';
import { ChangeableTree, type Holder, isHolder } from './changeable-tree';
import { type Location, selectedPlaces } from './json-path';
import { type Overlay, type OverlayAction, overlayError, readOverlay } from './read-overlay';

/** Looks at values, of some microseconds each, of all actions of an overlay together: of a small document, and for each value more. */
const STEPS = 2_000_000;
/** `$..*` takes some five. */
const STEPS_A_VALUE = 50;
/** Memory costs more than time. */
const STEPS_A_COPY = 8;

const countValues = (value: unknown): number =>
  isHolder(value)
    ? Object.values(value).reduce<number>((all, one) => all + countValues(one), 1)
    : 1;

const kindOf = (value: unknown): 'an object' | 'a list' | 'a single value' => {
  if (Array.isArray(value)) return 'a list';
  return isPlainObject(value) ? 'an object' : 'a single value';
};

/** A value that comes into the document, and its pointer in the overlay. */
interface Given {
  readonly value: unknown;
  readonly from: string;
}

class Application {
  readonly tree: ChangeableTree;
  readonly overlay: Overlay;
  readonly #limits: LoadLimits;
  readonly warnings: Diagnostic[] = [];
  readonly #fuel: Fuel;

  constructor(tree: ChangeableTree, overlay: Overlay, limits: LoadLimits) {
    this.tree = tree;
    this.overlay = overlay;
    this.#limits = limits;
    this.#fuel = makeFuel(STEPS + STEPS_A_VALUE * countValues(tree.value));
  }

  /** Warns where the overlay names another document than the one that it is applied to. */
  checkExtended(root: SourceFile): void {
    const { extends: named, file } = this.overlay;
    if (named === undefined) return;
    const uriOf = (reference: string, base: string) => attempt(() => new URL(reference, base).href);
    const self = ownText(Object(root.value), '$self') ?? '';
    const uri = uriOf(named, file.uri);
    if (uri === root.uri || (self !== '' && uri === uriOf(self, root.uri))) return;
    const message = `The overlay is meant for ${named}, and is applied to ${root.name}.`;
    this.#warn('/extends', message);
  }

  #refuse(pointer: string, message: string): never {
    throw overlayError(this.overlay.file, pointer, message);
  }

  #warn(pointer: string, message: string, ofKey = false): void {
    const { name: file, locate } = this.overlay.file;
    const place = { pointer, file, ...locate(pointer, ofKey) };
    this.warnings.push({ severity: 'warning', rule: 'overlay', message, ...place });
  }

  *apply(action: OverlayAction): Steps<void> {
    const { change, pointer } = action;
    if (change === undefined) {
      this.#warn(pointer, 'The action changes nothing. Give it update, copy or remove.');
      return;
    }
    for (const field of change.kind === 'remove' ? change.idle : []) {
      const message = `The field ${field} has no effect beside remove: true. Take one of the two away.`;
      this.#warn(`${pointer}/${field}`, message, true);
    }
    const at = `${pointer}/target`;
    try {
      const places = yield* selectedPlaces(action.target, this.tree.value, this.#fuel);
      if (places.length === 0) {
        this.#warn(at, 'The target matches nothing in the document. Correct or remove the action.');
      } else if (change.kind === 'remove') this.#remove(places, at);
      else yield* this.#change(places, at, yield* this.#givenBy(change, pointer));
    } catch (error) {
      // Lists of some hundred thousand items are beyond the stack of the queries.
      if (!(error instanceof FuelExhausted || error instanceof RangeError)) throw error;
      const message = `This goes beyond the ${this.#fuel.capacity} steps that the actions of an overlay may take on this document. Select less, or split the overlay.`;
      this.#refuse(at, message);
    }
  }

  *#givenBy(
    change: Exclude<OverlayAction['change'], undefined | { readonly kind: 'remove' }>,
    pointer: string,
  ): Steps<Given> {
    const from = `${pointer}/${change.kind}`;
    if (change.kind === 'update') return { value: change.value, from };
    const places = yield* selectedPlaces(change.source, this.tree.value, this.#fuel);
    const [place] = places;
    if (place === undefined || places.length > 1) {
      return this.#refuse(from, `The query selects ${places.length} values, and copy takes one.`);
    }
    const value = valueAt(this.tree.value, pointerOf(place));
    // It may hold the target.
    return { value: this.#copyOf({ value, from }, 0), from };
  }

  #remove(places: readonly Location[], at: string): void {
    const removed = new Map<Holder, Set<string>>();
    for (const place of places) {
      const key = place.at(-1);
      if (key === undefined) this.#refuse(at, 'The whole document cannot be removed.');
      const holder = this.tree.at(place.slice(0, -1));
      removed.set(holder, (removed.get(holder) ?? new Set()).add(String(key)));
    }
    for (const [holder, keys] of removed) this.tree.remove(holder, keys);
  }

  *#change(places: readonly Location[], at: string, given: Given): Steps<void> {
    const { value } = this.tree;
    const [kind, ...others] = new Set(
      places.map((place) => kindOf(valueAt(value, pointerOf(place)))),
    );
    if (others.length > 0) {
      const message = `The targets of one action must be of one kind, and these are ${[kind, ...others].join(' and ')}. Make an action for each.`;
      this.#refuse(at, message);
    }
    if (kind === 'a single value' && !this.overlay.isNewer) {
      const message =
        'Overlays of version 1.0 change objects and lists alone. Write overlay: 1.1.0, or select what the value stands in.';
      this.#refuse(at, message);
    }
    if (kind !== 'a list' && kindOf(given.value) !== kind) {
      this.#refuse(given.from, `The target is ${kind}, and this is ${kindOf(given.value)}.`);
    }
    for (const place of places) {
      yield;
      const key = place.at(-1);
      if (kind === 'a single value' && key !== undefined) {
        this.#set(this.tree.at(place.slice(0, -1)), String(key), given, place.length);
      } else if (kind === 'a list') {
        this.#append(this.tree.at(place), given, place.length, this.overlay.isNewer);
      } else this.#mergeMembers(this.tree.at(place), given, place.length);
    }
  }

  /** @param concatenates whether a list gives its items, rather than itself */
  #append(target: Holder, { value, from }: Given, depth: number, concatenates: boolean): void {
    const items =
      concatenates && Array.isArray(value)
        ? value.map((item, index) => ({ value: item, from: pointerTo(from, index) }))
        : [{ value, from }];
    for (const item of items) this.#set(target, String(target['length']), item, depth + 1);
  }

  #mergeMembers(target: Holder, { value, from }: Given, depth: number): void {
    for (const [key, part] of Object.entries(Object(value))) {
      const member = { value: part, from: pointerTo(from, key) };
      const isNew = !Object.hasOwn(target, key);
      const [old, now] = [kindOf(target[key]), kindOf(part)];
      if (!isNew && old !== now) {
        const message = `The document has ${old} here, with which ${now} cannot be merged. Remove it by an action before.`;
        this.#refuse(member.from, message);
      }
      if (isNew || !isHolder(part)) this.#set(target, key, member, depth + 1);
      else if (Array.isArray(part)) {
        this.#append(this.tree.child(target, key), member, depth + 1, true);
      } else this.#mergeMembers(this.tree.child(target, key), member, depth + 1);
    }
  }

  #set(holder: Holder, key: string, given: Given, depth: number): void {
    const origin = { file: this.overlay.file, pointer: given.from };
    this.tree.set(holder, key, this.#copyOf(given, depth), origin);
  }

  /** @param depth the level at which the copy will stand */
  #copyOf({ value: given, from }: Given, depth: number): unknown {
    const copy = (value: unknown, level: number): unknown => {
      spend(STEPS_A_COPY);
      spendOn(value);
      if (!isHolder(value)) return value;
      const { depth: most } = this.#limits;
      if (level > most) {
        return this.#refuse(from, `This nests the document deeper than ${most} levels.`);
      }
      if (Array.isArray(value)) return value.map((item) => copy(item, level + 1));
      const object: PlainObject = {};
      for (const key of Object.keys(value)) setOwn(object, key, copy(value[key], level + 1));
      return object;
    };
    return drawFrom(this.#fuel, () => copy(given, depth));
  }
}

/**
 * Applies overlays, in their order, to the values of a file; gives these, and what there is to say of the overlays.
 * @throws UnreadableDocument where the file has none that could be changed, or an overlay cannot be applied
 */
export function* applyOverlays(
  root: SourceFile,
  overlays: readonly SourceFile[],
  limits: LoadLimits,
): Steps<{ readonly tree: ChangeableTree; readonly warnings: readonly Diagnostic[] }> {
  const tree = new ChangeableTree(root);
  const warnings: Diagnostic[] = [];
  for (const overlay of overlays) {
    const application = new Application(tree, readOverlay(overlay), limits);
    application.checkExtended(root);
    for (const action of application.overlay.actions) yield* application.apply(action);
    warnings.push(...application.warnings);
  }
  return { tree, warnings };
}
