import type { LibraryClosure } from './user-model.ts'

/**
 * Returns an update that sets `fields` and closes the library, in one write. It keeps a closure that is there: the factors from before the
 * first reset are the owner's, later ones may be anybody's. For `updatePipeline: true`.
 */
export function setAndClose(fields: Record<string, unknown>, libraryClosure: LibraryClosure) {
  const literals = Object.entries(fields).map(([name, value]) => [name, { $literal: value }])
  const closure = { $ifNull: ['$libraryClosure', { $literal: libraryClosure }] }
  return [{ $set: { ...Object.fromEntries(literals), libraryClosure: closure } }]
}
