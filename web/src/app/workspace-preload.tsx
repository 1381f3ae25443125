import { useEffect } from 'react'

/** Loads the scripts of the workspace, the largest page, while the browser is idle: a recording is what most people open next. */
export function WorkspacePreload() {
  useEffect(() => {
    if (!('requestIdleCallback' in window)) return
    // Where it fails, the page itself loads them.
    const id = requestIdleCallback(() => {
      import('../features/workspace/workspace-page.tsx').catch(() => undefined)
    })
    return () => cancelIdleCallback(id)
  }, [])
  return null
}
