import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'

const root = dirname(dirname(import.meta.dirname))
afterEach(() => {
  vi.unstubAllEnvs()
  vi.resetModules()
})

test.each([
  { installed: 'awaz', sentence: 'awaz models list shows the models that are known.' },
  { installed: undefined, sentence: 'npm run awaz -- models list shows the models that are known.' },
])('a message names the command as it is called where AWAZ_COMMAND is $installed', async ({ installed, sentence }) => {
  vi.stubEnv('AWAZ_COMMAND', installed)
  vi.resetModules()
  const { findSpeechModel } = await import('#engine/models/catalog.ts')
  await expect(findSpeechModel('unknown')).rejects.toMatchObject({ help: sentence })
})

test('no other source of server and engine names the command of a clone', () => {
  const sources = globSync('{server,engine}/**/*.ts', { cwd: root }).filter((path) => !path.endsWith('.test.ts'))
  const named = sources.filter((path) => readFileSync(join(root, path), 'utf8').includes('npm run awaz'))
  expect(named).toEqual(['server/data/awaz-command.ts'])
})
