import { expect, test } from 'vitest'
import { findConfigWarnings } from './config-warnings.ts'
import { readConfig } from './config.ts'

test.each([
  [{ HOST: '0.0.0.0' }, 1],
  [{ HOST: '192.0.2.7' }, 1],
  [{ HOST: '0.0.0.0', PUBLIC_URL: 'https://awaz.example.org' }, 0],
  [{ HOST: '127.0.0.1' }, 0],
  [{}, 0],
])('warns of links that nobody else can open: %j', (env, count) => {
  expect(findConfigWarnings(readConfig(env))).toHaveLength(count)
})
