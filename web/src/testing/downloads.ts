import { vi } from 'vitest'

interface Download {
  name: string
  content: Blob
}

/** Records the files that the page offers for download, until the end of the test (setup.ts restores what is replaced here). */
export function captureDownloads(): Download[] {
  const downloads: Download[] = []
  const blobs: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((content) => {
    if (!(content instanceof Blob)) throw new Error('Only blobs are offered as files')
    return `blob:${blobs.push(content) - 1}`
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    const content = blobs[Number(this.href.replace('blob:', ''))]
    if (content) downloads.push({ name: this.download, content })
  })
  return downloads
}
