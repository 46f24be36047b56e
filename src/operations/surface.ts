export type Surface = 'v1' | 'app';
