import { ImportName } from '#contract/entities/model-operation.ts'

/** A file of a model and its path below the model's folder. */
export interface ModelFile {
  path: string
  file: File
}

export interface ModelFiles {
  /** What the folder or file is called, in letters that every file system takes. */
  name: string
  files: ModelFile[]
  sizeBytes: number
}

/** What a file that was dropped brings beside its name: where it lay, as the browser or the drop zone tell it. */
type PlacedFile = File & { path?: string }

/**
 * The files of a model from what was dropped or picked: one file, or the files of one folder, whose hidden files are left out. Returns a
 * sentence where that is no model's.
 */
export function collectModelFiles(picked: File[]): ModelFiles | string {
  const placed = picked
    .filter((file) => file.size > 0)
    .map((file: PlacedFile) => ({
      file,
      parts: (file.webkitRelativePath || file.path || file.name).split('/').filter((part) => part && part !== '.'),
    }))
    .filter(({ parts }) => parts.every((part) => !part.startsWith('.')))
  const [first] = placed
  if (!first) return 'There is no file in it.'
  const folders = new Set(placed.map(({ parts }) => (parts.length > 1 ? parts[0] : '')))
  if (folders.size > 1) return 'Add one folder, or the files of one model, at a time.'
  const isFolder = first.parts.length > 1
  // What the file of a model is called says nothing; the files of a folder refer to each other.
  const files = placed.map(({ file, parts }) => ({
    file,
    path: isFolder ? parts.slice(1).join('/') : cleanName(file.name),
  }))
  const strange = files.find(({ path }) => path.split('/').some((part) => !ImportName.safeParse(part).success))
  if (strange)
    return `${strange.path} has a name that no model's file has: only letters, digits, dots, dashes and underscores.`
  const name = isFolder ? (first.parts[0] ?? '') : first.file.name.replace(/\.[^.]+$/, '')
  return { name: cleanName(name), files, sizeBytes: files.reduce((sum, { file }) => sum + file.size, 0) }
}

/** `whisper-base` of `whisper base!`. */
function cleanName(name: string): string {
  const clean = name
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|-+$/g, '')
    .slice(0, 100)
  return clean || 'model'
}
