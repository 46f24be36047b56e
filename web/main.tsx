import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { Tooltip } from 'radix-ui';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { problemOf } from './client/problem.ts';
import { createAppRouter } from './router.tsx';
import './theme.css';

const FRESH_MS = 30_000;
const TRIES = 2;

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      refetchOnWindowFocus: false,
      // What the server refused it refuses again; a line that broke may hold the next time.
      retry: (failures, error) => failures < TRIES && problemOf(error).kind === 'away',
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});
const router = createAppRouter(queries);

const root = document.getElementById('root');
if (!root) throw new Error('The page has no place for the app.');
// Until the first page is known, the name that the document itself shows stays.
await router.load();
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <Tooltip.Provider delayDuration={200}>
        <RouterProvider router={router} />
      </Tooltip.Provider>
    </QueryClientProvider>
  </StrictMode>,
);
