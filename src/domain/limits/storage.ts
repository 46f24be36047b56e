const MIB = 1024 * 1024;

/** What a workspace keeps of its calls, and how much that may be; null without a bound. */
export interface Storage {
  usedBytes: number;
  limitMib: number | null;
}

/** Whether so many bytes more pass the bound. */
export function passesStorage({ usedBytes, limitMib }: Storage, moreBytes: number): boolean {
  return limitMib !== null && usedBytes + moreBytes >= limitMib * MIB;
}

/** `This workspace keeps 50 GB of its calls, and may keep 50 GB. …` */
export function storageSentence({ usedBytes, limitMib }: Storage): string {
  return `This workspace keeps ${inWords(usedBytes)} of its calls, and may keep ${inWords((limitMib ?? 0) * MIB)}. Erase calls, keep them for a shorter time, or have who runs this installation raise it.`;
}

function inWords(bytes: number): string {
  const mib = bytes / MIB;
  return mib < 1024 ? `${Math.round(mib * 10) / 10} MiB` : `${Math.round((mib / 1024) * 10) / 10} GiB`;
}
