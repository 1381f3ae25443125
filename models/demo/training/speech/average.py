#!/usr/bin/python3
"""The mean of several checkpoints of one training, often better than each.     usage: average.py OUT.pt CHECKPOINT.pt CHECKPOINT.pt .."""
import sys

import torch


def main():
    checkpoints = [torch.load(path, map_location="cpu") for path in sys.argv[2:]]
    last = checkpoints[-1]
    mean = {name: sum(c["model"][name] for c in checkpoints) / len(checkpoints) for name in last["model"]}
    torch.save({"dims": last["dims"], "model": mean}, sys.argv[1])


if __name__ == "__main__":
    main()
