import { ImportName } from '#contract/entities/model-operation.ts'
import { t } from '#contract/texts/t.ts'

/** A file of a model and its path below the model's folder. */
export interface ModelFile {
  path: string
  file: File
}

export interface ModelFiles {
  /** The name of the folder or file, in characters that every file system accepts. */
  name: string
  files: ModelFile[]
  sizeBytes: number
}

/** A selected or dropped file, with the path that the drop zone sets. */
type FileWithPath = File & { path?: string }

/**
 * Collects the files of a model from a drop or selection: loose files, or the files of one folder, without hidden files. Returns an error
 * message if they cannot be those of a model.
 */
export function collectModelFiles(selected: File[]): ModelFiles | string {
  const candidates = selected
    .filter((file) => file.size > 0)
    .map((file: FileWithPath) => ({
      file,
      parts: (file.webkitRelativePath || file.path || file.name).split('/').filter((part) => part && part !== '.'),
    }))
    .filter(({ parts }) => parts.every((part) => !part.startsWith('.')))
  const [first] = candidates
  if (!first) return t('No files were found.')
  const folders = new Set(candidates.map(({ parts }) => (parts.length > 1 ? parts[0] : '')))
  if (folders.size > 1) return t('Add one folder, or the files of one model, at a time.')
  const isFolder = first.parts.length > 1
  // Loose files can be renamed, but the files of a folder refer to each other.
  const files = candidates.map(({ file, parts }) => ({
    file,
    path: isFolder ? parts.slice(1).join('/') : cleanName(file.name),
  }))
  const invalid = files.find(({ path }) => path.split('/').some((part) => !ImportName.safeParse(part).success))
  if (invalid)
    return t("{path} has a name that no model's file has: only letters, digits, dots, dashes and underscores.", {
      path: invalid.path,
    })
  const name = isFolder ? (first.parts[0] ?? '') : first.file.name.replace(/\.[^.]+$/, '')
  return { name: cleanName(name), files, sizeBytes: files.reduce((sum, { file }) => sum + file.size, 0) }
}

/** Returns `whisper-base` for `whisper base!`. */
function cleanName(name: string): string {
  const clean = name
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|-+$/g, '')
    .slice(0, 100)
  return clean || 'model'
}
