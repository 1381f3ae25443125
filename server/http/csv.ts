/** Formats a CSV row (RFC 4180). A cell that a spreadsheet would evaluate as a formula gets a leading apostrophe (OWASP, CSV Injection). */
export function csvRow(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(value: string): string {
  const safe = /^[=＝+＋\-－@＠\t\r\n]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
