import type { FileHandle } from 'node:fs/promises'
import { notConvertible } from './conversion-error.ts'

const firstWords = 'version https://git-lfs.github.com/'

/** Throws `model_unavailable` for a Git LFS pointer, which Git checks out if Git LFS is not installed. */
export async function assertNotLfsPointer(file: FileHandle, path: string): Promise<void> {
  const start = Buffer.alloc(firstWords.length)
  await file.read(start, 0, start.length, 0)
  if (start.toString('latin1') !== firstWords) return
  throw notConvertible(
    `The file ${path} is only a pointer of Git LFS, not the weights.`,
    'Install Git LFS and run `git lfs pull` in the folder, or download the file itself.',
  )
}
