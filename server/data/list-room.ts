/**
 * Returns a filter for documents whose list has at most `max` items once `added` are added with `$addToSet`. In the filter of that very
 * update it makes the limit hold no matter who writes at the same moment. Not for upserts: MongoDB refuses their `$expr`.
 *
 * @param added each once
 */
export function hasRoomFor(field: string, added: readonly string[], max: number) {
  const list = { $ifNull: [`$${field}`, []] }
  const missing = added.map((item) => ({ $cond: [{ $in: [{ $literal: item }, list] }, 0, 1] }))
  const exact = { $expr: { $lte: [{ $add: [{ $size: list }, ...missing] }, max] } }
  if (added.length > max) return exact
  // First what suffices for most: the exact count compares each item with the whole list.
  return { $or: [{ [`${field}.${max - added.length}`]: { $exists: false } }, exact] }
}
