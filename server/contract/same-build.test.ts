import { expect, test } from 'vitest'
import { isSameBuild } from './same-build.ts'

const server = { version: '0.2.0', revision: 'b384c64' }

test.each([
  [server, true],
  [{ ...server, revision: 'b384c64f1' }, true],
  [{ ...server, revision: 'b384c' }, true],
  [{ ...server, revision: null }, true],
  [{ ...server, revision: 'c42de9b' }, false],
  [{ ...server, version: '0.1.9' }, false],
  [{ version: null, revision: null }, false],
])('compares version and revision with %o: %s', (engine, isSame) => {
  expect(isSameBuild(server, engine)).toBe(isSame)
})
