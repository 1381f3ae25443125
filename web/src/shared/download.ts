/** Downloads `content` as a file. */
export function downloadFile(name: string, content: Blob | string, type = 'text/plain;charset=utf-8'): void {
  const blob = typeof content === 'string' ? new Blob([content], { type }) : content
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The click only queues the download; the address must outlive it.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** Returns `call-0412` for `call-0412.wav`, to name files made from a recording. */
export function baseName(fileName: string): string {
  return fileName.replace(/\.[^.]+$/, '')
}
