import type { AudioStore, UploadFiles } from './audio-store.ts'

/**
 * Joins two stores: new audio goes to the first, and what the second still has is read from there. A file that is being moved
 * (move-audio.ts) is always found in one of them.
 */
export function layerAudioStores(first: AudioStore, second: AudioStore): AudioStore {
  const find: AudioStore['size'] = async (file) =>
    (await first.size(file)) ?? (await second.size(file)) ?? first.size(file) // moved between the two lookups
  const storeOf = async (file: Parameters<AudioStore['size']>[0]) =>
    (await first.size(file)) === null && (await second.size(file)) !== null ? second : first

  return {
    receive: first.receive,
    size: find,
    read: async (file, range) => (await storeOf(file)).read(file, range),
    open: async (file) => (await storeOf(file)).open(file),
    async remove(file) {
      // In this order: a move in progress checks whether the second still has the file after writing it to the first.
      await second.remove(file)
      await first.remove(file)
    },
    async *listOlder(before) {
      yield* first.listOlder(before)
      yield* second.listOlder(before)
    },
    quarantine: async (file) => (await storeOf(file)).quarantine(file),
    countQuarantined: async () => (await first.countQuarantined()) + (await second.countQuarantined()),
    countPartsOlder: async (before) => (await first.countPartsOlder(before)) + (await second.countPartsOlder(before)),
    removePartsOlder: async (before) =>
      (await first.removePartsOlder(before)) + (await second.removePartsOlder(before)),
    freeBytes: first.freeBytes,
    uploads: layerUploads(first.uploads, second.uploads),
  }
}

/** Joins uploads of two stores: an upload stays in the store where it began. */
function layerUploads(first: UploadFiles, second: UploadFiles): UploadFiles {
  const uploadsOf = async (id: string) => ((await first.size(id)) === 0 && (await second.size(id)) > 0 ? second : first)
  return {
    size: async (id) => (await uploadsOf(id)).size(id),
    append: async (id, stream, options) => (await uploadsOf(id)).append(id, stream, options),
    open: async (file) => (await uploadsOf(file.id)).open(file),
    async remove(id) {
      await first.remove(id)
      await second.remove(id)
    },
    list: async () => [...new Set([...(await first.list()), ...(await second.list())])],
  }
}
