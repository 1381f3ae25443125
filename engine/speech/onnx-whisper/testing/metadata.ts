/**
 * Returns the encoder metadata of a Whisper model with few tokens: text 0 to 9 (3 is the space), end 10, transcript 11, English 12,
 * Persian 13, translate 14, transcribe 15, previous text 16, language model 17, no speech 18, no timestamps 19, timestamps from 20.
 */
export function toyWhisperMetadata(changes: Record<string, string> = {}): Record<string, string> {
  return {
    model_type: 'whisper-toy',
    n_mels: '80',
    n_text_layer: '2',
    n_text_state: '8',
    n_text_ctx: '32',
    is_multilingual: '1',
    all_language_codes: 'en,fa',
    all_language_tokens: '12,13',
    blank_id: '3',
    eot: '10',
    sot: '11',
    translate: '14',
    transcribe: '15',
    sot_prev: '16',
    sot_lm: '17',
    no_speech: '18',
    no_timestamps: '19',
    ...changes,
  }
}
