import { lazy, useState, type ComponentType } from 'react'

/**
 * Returns a component that is loaded when it is first shown, and a function that loads it before. Loaded before, it is shown at once:
 * React's own lazy components show the fallback of their boundary first, and then for a third of a second.
 */
export function preloadable<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | undefined

  async function preload(): Promise<ComponentType<Props>> {
    loaded = await load()
    return loaded
  }

  const Lazy = lazy(async () => ({ default: await preload() }))

  function Preloadable(props: Props) {
    // The same as long as it is shown: another component would begin with a new state.
    const [Component] = useState<ComponentType<Props>>(() => loaded ?? Lazy)
    return <Component {...props} />
  }
  return { Component: Preloadable, preload }
}
