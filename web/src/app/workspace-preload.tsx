import { useEffect } from 'react'

/** The page on screen asks for its data first. */
const delayMs = 2000

/** Loads the scripts of the workspace, the largest page, while the browser is idle: a recording is what most people open next. */
export function WorkspacePreload() {
  useEffect(() => {
    if (!('requestIdleCallback' in window)) return
    let id = 0
    const timer = setTimeout(() => {
      // Where it fails, the page itself loads them.
      id = requestIdleCallback(() => {
        import('../features/workspace/workspace-page.tsx').catch(() => undefined)
      })
    }, delayMs)
    return () => {
      clearTimeout(timer)
      cancelIdleCallback(id)
    }
  }, [])
  return null
}
