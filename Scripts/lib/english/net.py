"""The letter-to-phoneme network: two bidirectional GRU layers, and a GRU that outputs the phonemes letter by letter."""
import torch
from torch import nn

LETTERS = "abcdefghijklmnopqrstuvwxyz'"


class LetterNet(nn.Module):
    def __init__(self, chunks, letter=48, hidden=128, previous=48, writer=192, dropout=0.15):
        super().__init__()
        self.sizes = dict(chunks=chunks, letter=letter, hidden=hidden, previous=previous, writer=writer)
        # There are 27 letters for each of the two accents.
        self.letters = nn.Embedding(2 * len(LETTERS), letter)
        self.first = nn.GRU(letter, hidden, batch_first=True, bidirectional=True)
        self.second = nn.GRU(2 * hidden, hidden, batch_first=True, bidirectional=True)
        self.previous = nn.Embedding(chunks + 1, previous)
        self.writer = nn.GRU(2 * hidden + previous, writer, batch_first=True)
        self.out = nn.Linear(writer, chunks)
        self.drop = nn.Dropout(dropout)

    def encode(self, letters):
        x = self.letters(letters)
        x, _ = self.first(x)
        x, _ = self.second(self.drop(x))
        return self.drop(x)

    def forward(self, letters, before):
        x = self.encode(letters)
        x, _ = self.writer(torch.cat([x, self.previous(before)], -1))
        return self.out(self.drop(x))

    @torch.no_grad()
    def greedy(self, letters):
        x = self.encode(letters)
        state = None
        before = torch.full((letters.shape[0], 1), self.out.out_features)
        written = []
        for i in range(letters.shape[1]):
            y, state = self.writer(torch.cat([x[:, i:i + 1], self.previous(before)], -1), state)
            before = self.out(y).argmax(-1)
            written.append(before)
        return torch.cat(written, 1)
