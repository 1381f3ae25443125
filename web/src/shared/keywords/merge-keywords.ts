import { keywordCategories, type Keywords } from '#contract/keywords/keywords.ts'

/**
 * Returns the server's lists with the keywords added and removed here since `base`, the last lists that both had. A keyword added on either
 * side is kept; one removed on either side is removed.
 */
export function mergeKeywords({
  base,
  local,
  server,
}: {
  base: Keywords
  local: Keywords
  server: Keywords
}): Keywords {
  const merged: Keywords = {
    ...server,
    sounds_like: mergeList(base.sounds_like ?? [], local.sounds_like ?? [], server.sounds_like ?? []),
  }
  for (const category of keywordCategories) {
    merged[category] = mergeList(base[category], local[category], server[category])
  }
  return merged
}

function mergeList(base: string[], local: string[], server: string[]): string[] {
  const before = new Set(base)
  const here = new Set(local)
  const kept = server.filter((keyword) => here.has(keyword) || !before.has(keyword))
  return [...new Set([...kept, ...local.filter((keyword) => !before.has(keyword))])]
}
