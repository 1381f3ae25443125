import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { compilerFlags } from '../../scripts/build-whisper.mjs'

const run = promisify(execFile)

test('each kernel that this processor has computes what its formula says', async () => {
  const program = join(await temporaryFolder(), 'kernels-check')
  const source = join(import.meta.dirname, 'testing/kernels-check.cc')
  const flags = ['-std=c++17', ...compilerFlags().split(' '), '-w', '-Wno-psabi']
  await run('g++', [...flags, `-I${join(import.meta.dirname, 'addon')}`, '-o', program, source])

  const { stdout } = await run(program)

  expect(stdout).toContain('attention, without VNNI: 60 heads')
  expect(stdout).toContain('products, without VNNI: 200 are exact')
  expect(stdout).toContain('norms, without AVX-512: 200 rows')
})
