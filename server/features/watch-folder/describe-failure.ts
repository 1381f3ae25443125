import { AppError } from '#contract/app-error.ts'
import { FolderProblem } from './folder-problem.ts'

/** What file system errors mean for a folder or file, and what to do about them. */
const sentences: Record<string, string> = {
  EACCES: 'Awaz has no permission. Check the permissions of the folder.',
  EDQUOT: 'The quota of the disk that the folder is on is used up.',
  ENAMETOOLONG: 'Its name is too long for this file system. Rename it.',
  ENOENT: 'It is not there.',
  ENOSPC: 'The disk that the folder is on is full.',
  ENOTDIR: 'It is no folder of its own: links are not followed.',
  EPERM: 'Awaz has no permission. Check the permissions of the folder.',
  EROFS: 'The folder is read-only, so that files cannot be moved.',
}

/** Describes a failure in a sentence for people. */
export function describeFailure(error: unknown): string {
  if (error instanceof FolderProblem) return error.message
  if (error instanceof AppError) return [error.message, error.help].filter(Boolean).join(' ')
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return sentences[code] ?? `Something failed${code && ` (${code})`}; the log of the server says what.`
}
