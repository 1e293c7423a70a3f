// Bodies that arrive in tiny pieces. In chunked encoding a body of 10 MiB may arrive as ten million chunks: as many buffers took a gigabyte and
// blocked the event loop for seconds.
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Bytes. Pieces below `small` are joined, up to `joined`. */
const small = 4096;
const joined = 16 * 1024;
// Milliseconds that joined bytes wait for more. The end of a body does not wait.
const gatherMs = 20;

/** After this many pieces they must have had this many bytes on average: smaller ones cost more than they carry. */
export const fewest = { pieces: 10_000, bytes: 16 };

/**
 * Joins the pieces of a request's body before anything reads them, and calls `onDust` once if they are too many and too small. A body that
 * is unread when the response is sent is still counted, and dropped.
 */
export function gatherPieces(request: IncomingMessage, response: ServerResponse, onDust: () => void): void {
  const push = request.push.bind(request);
  const gathered = new Gathered(push);
  let pieces = 0;
  let bytes = 0;
  let isDropped = false;
  let isDust = false;
  request.push = (piece: Buffer | null): boolean => {
    if (piece === null) {
      gathered.flush();
      return push(null);
    }
    pieces++;
    bytes += piece.length;
    if (!isDust && pieces > fewest.pieces && bytes < pieces * fewest.bytes) {
      isDust = true;
      onDust();
    }
    return isDust || isDropped || gathered.add(piece);
  };
  // Node itself would drop it uncounted.
  response.once('prefinish', () => {
    if (request.complete || request.destroyed) return;
    isDropped = true;
    gathered.forget();
    request.resume();
  });
}

class Gathered {
  /** A single piece: most bodies are one, and it is not copied. */
  private single: Buffer | undefined;
  private buffer: Buffer | undefined;
  private used = 0;
  private hasRoom = true;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly push: (piece: Buffer) => boolean) {}

  /** Returns whether there is room for more. */
  add(piece: Buffer): boolean {
    if (piece.length >= small) {
      this.flush();
      this.hasRoom = this.push(piece);
      return this.hasRoom;
    }
    if (this.used + piece.length > joined) this.flush();
    if (this.used === 0) this.single = piece;
    else this.join(piece);
    this.used += piece.length;
    this.timer ??= setTimeout(() => this.flush(), gatherMs);
    return this.hasRoom;
  }

  private join(piece: Buffer): void {
    this.buffer ??= Buffer.allocUnsafe(joined);
    this.single?.copy(this.buffer);
    this.single = undefined;
    piece.copy(this.buffer, this.used);
  }

  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.used === 0) return;
    const piece = this.single ?? this.taken();
    this.single = undefined;
    this.used = 0;
    this.hasRoom = this.push(piece);
  }

  private taken(): Buffer {
    const { buffer, used } = this;
    if (!buffer) throw new Error('several pieces are always in a buffer');
    // A few bytes must not keep a large buffer.
    if (used <= joined / 2) return Buffer.from(buffer.subarray(0, used));
    this.buffer = undefined;
    return buffer.subarray(0, used);
  }

  forget(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.single = undefined;
    this.used = 0;
  }
}
