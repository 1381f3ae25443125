import { Button, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import { t } from '#contract/texts/t.ts'
import '@mantine/dropzone/styles.css'
import { describeLimit, useMaxUploadBytes } from './max-upload-bytes.ts'
import classes from './uploads.module.css'

/** What the file picker offers; whether a file is accepted is decided by its name (audio-workflow specification, section 5). */
const accept = {
  'audio/mpeg': ['.mp3'],
  'audio/wav': ['.wav'],
  'audio/mp4': ['.m4a'],
  'audio/flac': ['.flac'],
  'audio/ogg': ['.ogg'],
  'video/mp4': ['.mp4'],
  'video/webm': ['.webm'],
}

interface DropTargetProps {
  /** Receives whatever was chosen: see checkUploadFiles. */
  onFiles: (files: File[]) => void
  /** Large where the page is the drop target. */
  isLarge?: boolean
}

/** Opens the file picker. DropOverlay handles drops, here as anywhere on the page. */
export function DropTarget({ onFiles, isLarge = false }: DropTargetProps) {
  const limit = describeLimit(useMaxUploadBytes())
  return (
    <Dropzone
      accept={accept}
      multiple
      onDropAny={(accepted, rejected) => onFiles([...accepted, ...rejected.map(({ file }) => file)])}
      onDrop={() => undefined}
      activateOnDrag={false}
      activateOnClick
      className={classes.drop}
      data-large={isLarge || undefined}
      inputProps={{ 'aria-label': t('Recordings to upload') }}
      aria-label={t('Drop recordings here or choose files')}
    >
      <div className={classes.dropInner}>
        <Bars />
        <Text fw={620} fz={isLarge ? 'xl' : 'lg'}>
          {t('Drop recordings here')}
        </Text>
        <Text c="dimmed" size="sm">
          {t('Supports MP3, WAV, M4A, FLAC, OGG, MP4, and WEBM')}
          <br />
          {t('Up to {limit}', { limit })}
        </Text>
        <Button component="span" leftSection={<IconUpload size={18} stroke={1.75} />} tabIndex={-1}>
          {t('Choose files')}
        </Button>
      </div>
    </Dropzone>
  )
}

/** A small waveform that moves while a file is held over it. */
function Bars() {
  return (
    <span className={classes.bars} aria-hidden>
      {[14, 26, 38, 22, 44, 30, 18, 34, 24, 12].map((height, index) => (
        <span key={`${index}-${height}`} data-height={height} />
      ))}
    </span>
  )
}
