/** How long a claim lasts if it is not held by a lock. */
const claimMs = 60_000

/**
 * Resolves to true in the first tab of this browser that claims `name`, and to false in the others. Uses a lock held for as long as the
 * tab lives; without Web Locks (plain http), local storage, where two tabs that claim at the same moment may both win.
 */
export function claimOnce(name: string): Promise<boolean> {
  const key = `awaz_claim:${name}`
  const locks: LockManager | undefined = navigator.locks
  if (!locks) return Promise.resolve(claimInStorage(key))
  return new Promise((resolve) => {
    void locks.request(key, { ifAvailable: true }, (lock) => {
      resolve(lock !== null)
      return lock === null ? undefined : new Promise<void>((release) => setTimeout(release, claimMs))
    })
  })
}

function claimInStorage(key: string): boolean {
  const until = Number(localStorage.getItem(key) ?? 0)
  if (until > Date.now()) return false
  localStorage.setItem(key, String(Date.now() + claimMs))
  setTimeout(() => localStorage.removeItem(key), claimMs)
  return true
}
