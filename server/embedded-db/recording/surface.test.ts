import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compileFilter } from '../query/match.ts'
import { fieldOperators } from '../query/match-operators.ts'
import { engineSurface } from './surface.ts'

/** Returns the lists on the page by heading: `- Heading: `a`, `b`.` */
async function documented(): Promise<Record<string, string[]>> {
  const page = await readFile(join(import.meta.dirname, '../../../docs/embedded-database.md'), 'utf8')
  const lists = [...page.matchAll(/^- \*\*(.+?)\*\*: ((?:`[^`]+`(?:,\s+)?)+)/gm)]
  return Object.fromEntries(
    lists.map(([, heading = '', list = '']) => [
      heading,
      [...list.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
    ]),
  )
}

test('the documentation lists what the engine does, no more and no less', async () => {
  expect(await documented()).toEqual(engineSurface())
})

test.each(fieldOperators)('%s is known to filters', (operator) => {
  // It may still refuse the operand.
  expect(() => compileFilter({ a: { [operator]: 1 } }, {})).not.toThrow(/unknown operator/)
  expect(() => compileFilter({ a: { $neverHeardOf: 1 } }, {})).toThrow(
    /unknown operator: \$neverHeardOf; the embedded database does not support it/,
  )
})
