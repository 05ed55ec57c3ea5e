/**
 * A log counts changes; a branch numbers pets. The two differ as soon as a change adds no pet, or several. So each has
 * a type of its own, and `Branch.placesAt` alone leads from one to the other.
 */
declare const unit: unique symbol;

/** A number of changes of a log, from the start of its oldest ancestor. */
export type ChangeCount = number & { readonly [unit]: 'changes' };

/** The place of a pet in a log, or a number of places: the pets that were ever added, in their order. */
export type Place = number & { readonly [unit]: 'places' };

export const NO_CHANGES = 0 as ChangeCount;
export const FIRST_PLACE = 0 as Place;
