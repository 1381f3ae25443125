/**
 * Returns a filter for documents whose list has at most `max` items once `added` are added with `$addToSet`. Used in the filter of that
 * same update, it enforces the limit whatever is written concurrently. Not for upserts: MongoDB rejects `$expr` in them.
 *
 * @param added without duplicates
 */
export function hasRoomFor(field: string, added: readonly string[], max: number) {
  const list = { $ifNull: [`$${field}`, []] }
  const missing = added.map((item) => ({ $cond: [{ $in: [{ $literal: item }, list] }, 0, 1] }))
  const exact = { $expr: { $lte: [{ $add: [{ $size: list }, ...missing] }, max] } }
  if (added.length > max) return exact
  // The cheap check comes first and usually suffices: the exact count compares each item with the whole list.
  return { $or: [{ [`${field}.${max - added.length}`]: { $exists: false } }, exact] }
}
