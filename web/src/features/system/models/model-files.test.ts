import { expect, it } from 'vitest'
import { collectModelFiles } from './model-files.ts'

function makeFile(path: string, content = 'x'): File {
  const file = new File([content], path.split('/').at(-1) ?? path)
  return Object.assign(file, { path })
}

function collect(paths: string[]) {
  const found = collectModelFiles(paths.map((path) => makeFile(path)))
  return typeof found === 'string' ? found : { name: found.name, paths: found.files.map(({ path }) => path) }
}

it('accepts a file by its name', () => {
  expect(collect(['./ggml-base.bin'])).toEqual({ name: 'ggml-base', paths: ['ggml-base.bin'] })
})

it('renames a file so that every file system accepts its name', () => {
  expect(collect(['./whisper base (مدل).bin'])).toEqual({ name: 'whisper-base', paths: ['whisper-base-.bin'] })
})

it('accepts a folder with its subfolders, without hidden files', () => {
  expect(
    collect([
      '/whisper base/model.bin',
      '/whisper base/a/b.json',
      '/whisper base/.git/config',
      '/whisper base/.DS_Store',
    ]),
  ).toEqual({
    name: 'whisper-base',
    paths: ['model.bin', 'a/b.json'],
  })
})

it.each([
  [[], 'No files were found.'],
  [['one/a.bin', 'two/a.bin'], 'Add one folder, or the files of one model, at a time.'],
  [['one/مدل.bin'], /^مدل\.bin has a name that no model's file has/],
])('returns why %j is not a model', (paths, sentence) => {
  expect(collect(paths)).toMatch(sentence)
})

it('rejects an empty file', () => {
  expect(collectModelFiles([new File([], 'empty.bin')])).toBe('No files were found.')
})
