/** Returns the files of a drop. Folders are left out: browsers would read all that is in them. */
export function readDroppedFiles(transfer: DataTransfer): { files: File[]; folderCount: number } {
  const entries = [...transfer.items].filter(({ kind }) => kind === 'file')
  const isFolder = (item: DataTransferItem) => item.webkitGetAsEntry?.()?.isDirectory === true
  const files = entries.filter((item) => !isFolder(item)).flatMap((item) => item.getAsFile() ?? [])
  return { files, folderCount: entries.filter(isFolder).length }
}

/** Whether files are being dragged, and not text or a link. */
export function holdsFiles(transfer: DataTransfer | null): transfer is DataTransfer {
  return transfer !== null && [...transfer.types].includes('Files')
}
