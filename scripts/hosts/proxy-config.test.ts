import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { adaptExample } from './proxy-config.ts'

const example = join(dirname(dirname(import.meta.dirname)), 'docker', 'proxy', 'nginx-several.conf')

test('the run uses the documented configuration for its own servers, without TLS', async () => {
  const config = adaptExample(await readFile(example, 'utf8'), ['10.1.2.3:5000', '10.1.2.4:5000'])
  expect(config).toContain('server 10.1.2.3:5000 max_fails=0;\n  server 10.1.2.4:5000 max_fails=0;\n}')
  expect(config).toContain('listen 80;')
  expect(config).not.toMatch(/ssl|10\.0\.0/)
  expect(config).toContain('proxy_next_upstream error timeout')
})

test('an example that no longer has what is replaced is refused', () => {
  expect(() => adaptExample('server {}', [])).toThrow('has nothing like')
})
