import { lazy, useState, type ComponentType } from 'react'

/**
 * Returns a component that is loaded when it is first shown, and a function that preloads it. A preloaded component is shown immediately:
 * React's lazy components first show the fallback of their boundary, and that for a third of a second.
 */
export function preloadable<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | undefined

  async function preload(): Promise<ComponentType<Props>> {
    loaded = await load()
    return loaded
  }

  const Lazy = lazy(async () => ({ default: await preload() }))

  function Preloadable(props: Props) {
    // Kept for as long as it is shown: switching the component would reset its state.
    const [Component] = useState<ComponentType<Props>>(() => loaded ?? Lazy)
    return <Component {...props} />
  }
  return { Component: Preloadable, preload }
}
