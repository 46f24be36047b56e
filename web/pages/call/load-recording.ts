import { http } from '../../client/api.ts';
import { Refused } from '../../client/refused.ts';

const PIECE_BYTES = 1024 * 1024;

export interface RecordingPath {
  agentId: string;
  callId: string;
}

/**
 * The whole recording, piece by piece, with the reader's own token: an address that a player could open by itself would
 * have to carry it.
 */
export async function loadRecording(path: RecordingPath, onShare: (share: number) => void): Promise<Blob> {
  const pieces: Blob[] = [];
  for (let from = 0; ; ) {
    const { piece, isLast, total } = await loadPiece(path, from);
    pieces.push(piece);
    from += piece.size;
    if (isLast) return new Blob(pieces, { type: piece.type });
    onShare(from / total);
  }
}

/** Where the platform cuts out no ranges, the first piece is the whole. */
async function loadPiece(path: RecordingPath, from: number) {
  const { data, error, response } = await http.GET('/app/agents/{agentId}/calls/{callId}/recording', {
    params: { path, header: { Range: `bytes=${from}-${from + PIECE_BYTES - 1}` } },
    parseAs: 'blob',
  });
  if (error) throw new Refused(error);
  const piece: Blob = data;
  const total = Number(/\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1] ?? Number.POSITIVE_INFINITY);
  const isLast = response.status !== 206 || piece.size < PIECE_BYTES || from + piece.size >= total;
  return { piece, isLast, total };
}
