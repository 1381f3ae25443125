import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { auditActions } from '../web/src/features/admin/audit-words.ts'

const root = join(import.meta.dirname, '..')

/** Actions as the sources of the server write them down. */
function actionsOfServer(): string[] {
  const files = globSync('{server/features,scripts/admin}/**/*.ts', { cwd: root }).filter(
    (path) => !path.includes('.test.'),
  )
  const sources = files.map((path) => readFileSync(join(root, path), 'utf8')).join('\n')
  const written = [...sources.matchAll(/action: '([a-z_.\d]+)'/g)].map(([, action = '']) => action)
  const ofAdmins = [...sources.matchAll(/note\(acting, '([a-z_\d]+)'/g)].map(([, action]) => `admin.${action}`)
  return [...new Set([...written, ...ofAdmins])]
}

test('the audit page has words for every action that the server writes down', () => {
  const found = actionsOfServer()
  expect(found.length).toBeGreaterThan(25)
  expect(found.filter((action) => !auditActions.includes(action))).toEqual([])
})
