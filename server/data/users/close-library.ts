import type { LibraryClosure } from './user-model.ts'

/**
 * Returns an update that sets `fields` and closes the library, in one write. It keeps an existing closure: the factors from before the
 * first reset are the owner's, later ones may be anyone's. For `updatePipeline: true`.
 */
export function setAndClose(fields: Record<string, unknown>, libraryClosure: LibraryClosure) {
  const literals = Object.entries(fields).map(([name, value]) => [name, { $literal: value }])
  const closure = { $ifNull: ['$libraryClosure', { $literal: libraryClosure }] }
  return [{ $set: { ...Object.fromEntries(literals), libraryClosure: closure } }]
}
