import { useEffect, useRef, useState } from 'react'
import classes from './map-layer.module.css'
import { readPalette, type MapPalette } from './map-palette.ts'

export type LayerPainter = (pen: { context: CanvasRenderingContext2D; palette: MapPalette; ratio: number }) => void

interface MapLayerProps {
  /** In CSS pixels. */
  width: number
  height: number
  /** The layer is redrawn whenever this function changes, so it must change with everything it draws. */
  draw: LayerPainter
}

/** A canvas at screen resolution. Things that change independently get separate layers. Reads the theme's colors when drawing. */
export function MapLayer({ width, height, draw }: MapLayerProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const ratio = usePixelRatio()
  useEffect(() => {
    const element = canvas.current
    const context = element?.getContext('2d')
    if (!element || !context || width === 0) return
    element.width = Math.round(width * ratio)
    element.height = Math.round(height * ratio)
    draw({ context, palette: readPalette(element), ratio })
  }, [width, height, ratio, draw])
  return <canvas ref={canvas} className={classes.layer} aria-hidden />
}

/** Returns the device pixels per CSS pixel, which change with page zoom and when the window moves to another screen. */
function usePixelRatio(): number {
  const [ratio, setRatio] = useState(() => window.devicePixelRatio || 1)
  useEffect(() => {
    const query = window.matchMedia(`(resolution: ${ratio}dppx)`)
    const update = () => setRatio(window.devicePixelRatio || 1)
    query.addEventListener('change', update)
    return () => query.removeEventListener('change', update)
  }, [ratio])
  return ratio
}
