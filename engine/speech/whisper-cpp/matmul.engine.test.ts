import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { compilerFlags } from '../../../scripts/build-whisper.mjs'

const run = promisify(execFile)
const sources = join(import.meta.dirname, '../../../node_modules/.awaz/whisper-sources/cpp')
const flags = compilerFlags().split(' ')

test.skipIf(!flags.includes('-march=x86-64-v3'))('equals a naive product for all shapes and types', async () => {
  const program = join(await temporaryFolder(), 'matmul-check')
  const includes = [join(import.meta.dirname, 'addon'), sources, join(sources, 'ggml-cpu')].map(
    (folder) => `-I${folder}`,
  )
  const source = join(import.meta.dirname, 'testing/matmul-check.cc')
  await run('g++', ['-std=c++17', ...flags, '-w', ...includes, '-o', program, source])

  const { stdout } = await run(program)

  expect(stdout).toContain('floats, AVX2: 400 products')
  expect(stdout).toContain('blocks, AVX2: 400 products')
  expect(stdout).toContain('Q8_0 and vectors: 200 products')
})
