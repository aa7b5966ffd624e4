package experiments

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"contend/experiments/sim"
	"contend/internal/input"
	"contend/internal/written"
)

// CalibrationsFile is the name of the file with the mean times of jobs alone that a study measured
// before its runs, so that the next command on the folder need not measure them again.
const CalibrationsFile = "calibrations.json"

// calibrationsOf is the text of the file.
type calibrationsOf struct {
	Program      string            `json:"program"` // that measured them
	Calibrations []sim.Calibration `json:"calibrations"`
}

// ReadCalibrations returns the calibrations that a folder holds, none if another program made them.
func ReadCalibrations(dir, program string) ([]sim.Calibration, error) {
	path := filepath.Join(dir, CalibrationsFile)
	text, err := input.ReadFile(path, input.StudyLimits)
	if os.IsNotExist(err) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, fs.ErrPermission) {
		return nil, nil // OpenFolder says what is wrong with a folder
	}
	const right = "remove it, and its calibrations will be made again"
	if err != nil {
		return nil, input.Unreadable(err, right)
	}
	if err := written.In(dir).Check(CalibrationsFile, right); err != nil {
		return nil, err
	}
	var c calibrationsOf
	if err := json.Unmarshal(text, &c); err != nil {
		return nil, &input.Error{File: path, Problem: "the file is damaged: " + err.Error(), Right: right}
	}
	if c.Program != program {
		return nil, nil
	}
	return c.Calibrations, nil
}

// WriteCalibrations stores calibrations in the folder, if there are any.
func (f *Folder) WriteCalibrations(list []sim.Calibration) error {
	if len(list) == 0 {
		return nil
	}
	text, err := json.MarshalIndent(calibrationsOf{f.Version, list}, "", "  ")
	if err != nil {
		return err
	}
	return f.Out.WriteText(CalibrationsFile, append(text, '\n'))
}
