import { describe, expect, test } from 'vitest';
import { type Elsewhere, nameGroup } from '../../../src/domain/calls/intent-names.ts';
import { requestTerms } from '../../../src/domain/calls/request-terms.ts';

const NOWHERE: Elsewhere = { share: () => 0.05, isName: () => false };

const name = (requests: readonly string[], elsewhere = NOWHERE) =>
  nameGroup(
    requests.map((request) => requestTerms([request])),
    elsewhere,
  );

describe('a group of requests is named after what callers want done, and with what', () => {
  test.each([
    [
      'cancel_reservation',
      ['I want to cancel my reservation', 'please cancel a reservation', 'can you cancel my reservation'],
    ],
    [
      'cancel_reservation',
      ['I am cancelling my reservation', 'can you cancel the reservation', 'I want my reservation cancelled'],
    ],
    ['order_boots', ['I want to order my boots', 'can I order the boots', 'please order my boots']],
    [
      'termin_verschieben',
      [
        'ich möchte meinen Termin verschieben',
        'können Sie den Termin verschieben',
        'ich will einen Termin verschieben',
      ],
    ],
    [
      'annuler_commande',
      ['je voudrais annuler ma commande', 'pouvez-vous annuler la commande', 'je veux annuler une commande'],
    ],
    ['cancelar_cita', ['quiero cancelar mi cita', 'puede cancelar la cita por favor', 'necesito cancelar una cita']],
  ])('%s', (slug, requests) => {
    const found = name(requests);
    expect(found.slug.replace(/_de_|_la_|_le_/g, '_')).toBe(slug);
    expect(found.label.replaceAll(' ', '_').toLowerCase()).toBe(found.slug);
  });

  test('people and places name none', () => {
    const requests = ['I want to book the grandview', 'can I book the grandview', 'please book the grandview'];
    expect(name(requests).slug).toBe('book_grandview');
    expect(name(requests, { ...NOWHERE, isName: (term) => term === 'grandview' }).slug).toBe('book');
  });

  test('a word that every call of the agent holds says less than one that only these hold', () => {
    const common: Elsewhere = { ...NOWHERE, share: (term) => (term === 'ticket' ? 1 : 0.02) };
    const found = name(['I want to print my ticket barcode', 'can you print a ticket barcode'], common);
    expect(found.slug).toMatch(/barcode/);
  });

  test('what is told beside the request names none', () => {
    const requests = ['My deposit was paid. I want to cancel', 'My deposit is gone. Can you cancel please?'];
    expect(name(requests).slug).toBe('cancel');
  });

  test('a group that only asks about a thing is named after that', () => {
    const found = name(['what about my deposit?', 'a question on my deposit', 'my deposit?']);
    expect(found.slug).toMatch(/deposit/);
    expect(found.slug).not.toBe('deposit');
  });

  test.each([
    ['no requests', []],
    ['requests that share no word', ['hello', 'yes']],
  ])('%s have a general name and no use case', (_, requests) => {
    const found = name(requests);
    expect(found.object).toBeNull();
    expect(found.slug).toMatch(/^[a-z]+(_[a-z]+)*$/);
  });

  test('a word counts where several calls hold it, and not where one does', () => {
    const requests = ['I want to print my barcode', 'please print my barcode', 'can you print my barcode'];
    expect(name([...requests, 'can you frame my poster']).slug).toBe('print_barcode');
    expect(name(['can you frame my poster']).slug).toBe('frame_poster');
  });

  test('two words of one thing stand as they follow each other', () => {
    const requests = ['I want to print my garden plan', 'please print a garden plan', 'can you print the garden plan'];
    expect(name(requests).slug).toBe('print_garden_plan');
  });

  test('a group is named in the language of most of its calls', () => {
    const german = ['ich möchte meinen Termin verschieben', 'können Sie den Termin verschieben'];
    expect(name([...german, 'I want to move my appointment']).slug).toBe('termin_verschieben');
    expect(name([...german.slice(1), 'I want to move my appointment', 'please move my appointment']).slug).toBe(
      'move_appointment',
    );
  });

  test('a deed is named in its plain form, also where nobody says it so', () => {
    const requests = ['I am cancelling my order', 'is my order cancelled', 'it cancels my order?'];
    expect(name(requests).slug).toBe('cancel_order');
  });

  test('one thing is one use case, whatever is to be done with it', () => {
    const cancel = name(['I want to cancel my reservation', 'please cancel my reservation']);
    const change = name(['I want to change my reservation', 'please change my reservation']);
    expect(cancel.slug).not.toBe(change.slug);
    expect(cancel.object).toEqual(change.object);
  });
});
